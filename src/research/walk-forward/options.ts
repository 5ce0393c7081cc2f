import type { SweepDefinition } from '../sweep/definition.ts';
import type { SweepOptions, SweepRow } from '../sweep/options.ts';

/** A walk-forward: repeatedly the best set of one window trades in the next. */
export interface WalkForwardOptions extends Omit<SweepOptions, 'markets'> {
  /** Durations such as `30d` of the training and the test. */
  readonly train: string;
  readonly test: string;
  /** From one fold to the next; as long as `test` if absent. */
  readonly step?: string;
  /** Between training and test, at least as long as positions are held; nothing if absent. */
  readonly gap?: string;
  /** True if every training begins at the start, and grows. */
  readonly anchored?: boolean;
}

/** Times as text; the window ends before `till`. */
export interface FoldWindow {
  readonly from: string;
  readonly till: string;
}

export interface WalkForwardFold {
  readonly fold: number;
  readonly train: FoldWindow;
  readonly test: FoldWindow;
  /** Every set in the training, and in the test. */
  readonly trained: readonly SweepRow[];
  readonly tested: readonly SweepRow[];
  /** The best set of the training; `null` if none was ranked, and nothing trades then. */
  readonly chosen: SweepRow | null;
  /** Result of the chosen set in the test. */
  readonly outcome: SweepRow | null;
  /** Its rank by the objective among all sets of the test, 1 for the best, and their number. */
  readonly rank: number | null;
  readonly ranked: number;
  /** Annualized growth in the test over that in the training; `null` if the training lost. */
  readonly efficiency: number | null;
}

/** How similar the folds' choices are. */
export interface ParameterStability {
  readonly name: string;
  /** Of each fold with a choice. */
  readonly values: readonly unknown[];
  readonly distinct: number;
  /** For numbers: the range of the choices over the range of the tried values, 0 to 1. */
  readonly spread: number | null;
}

/** Equity of the tests, one after the other. */
export interface StitchedEquity {
  /** Microseconds since 1970. */
  readonly at: Float64Array;
  /** 1 at the start; each fold continues from the end of the one before. */
  readonly equity: Float64Array;
  readonly fold: Int32Array;
  readonly totalReturn: number;
  /** Over the time of the tests only. */
  readonly annualReturn: number | null;
  readonly sharpe: number | null;
  /** As a ratio, 0 or more. */
  readonly maxDrawdown: number;
}

export interface WalkForwardResult {
  /** Definition of the search, with its windows. */
  readonly definition: SweepDefinition;
  readonly folds: readonly WalkForwardFold[];
  readonly stitched: StitchedEquity;
  readonly stability: readonly ParameterStability[];
  /** Annualized growth of all tests over that of all trainings. */
  readonly efficiency: number | null;
  /** Runs that existed already. */
  readonly reused: number;
  readonly failed: number;
  /** Remaining time at the end, too short for another test, in microseconds. */
  readonly leftUs: number;
}

/** True for a result of a walk-forward. */
export const isWalkForwardResult = (given: unknown): given is WalkForwardResult =>
  typeof given === 'object' && given !== null && 'folds' in given && 'stitched' in given;
