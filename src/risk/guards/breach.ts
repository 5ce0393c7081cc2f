import type { TradingState } from '../state.ts';

/**
 * A cause that passes by itself: a market is silent, the connection to it is lost, or the clocks are apart.
 */
export const PASSING_CAUSES = ['data', 'connection', 'clock'] as const;
export type PassingCause = (typeof PASSING_CAUSES)[number];

/** A broken running limit: pass it to `States.tighten`. */
export interface Breach {
  readonly limit:
    | 'daily-loss'
    | 'drawdown'
    | 'stale-data'
    | 'rejects'
    | 'clock-skew'
    | 'unexplained'
    | 'liquidation-distance';
  readonly to: TradingState;
  /** A sentence for people. */
  readonly why: string;
  /** Set where the state is left by itself once this is over (`autoResume`). */
  readonly passing?: PassingCause | undefined;
}
