import type { TradingState } from '../state.ts';

/** A temporary cause: a market has no data, its connection is lost, or the clocks differ. */
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
  /** Set if the state ends automatically with this cause (`autoResume`). */
  readonly passing?: PassingCause | undefined;
}
