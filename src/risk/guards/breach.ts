import type { TradingState } from '../state.ts';

/** A limit in running that was broken: tell it to `States.tighten`. */
export interface Breach {
  readonly limit: 'daily-loss' | 'drawdown' | 'stale-data' | 'rejects' | 'clock-skew';
  readonly to: TradingState;
  /** A sentence for people. */
  readonly why: string;
}
