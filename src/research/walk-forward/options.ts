import type { SweepDefinition } from '../sweep/definition.ts';
import type { SweepOptions, SweepRow } from '../sweep/options.ts';

/** A walk-forward: again and again the best set of one window trades in the next. */
export interface WalkForwardOptions extends Omit<SweepOptions, 'markets'> {
  /** Spans such as `30d`: what is learned from, and what it is tried on. */
  readonly train: string;
  readonly test: string;
  /** From one fold to the next; as long as `test` if absent. */
  readonly step?: string;
  /** Between training and test, at least as long as positions are held; nothing if absent. */
  readonly gap?: string;
  /** Whether every training begins at the start, and grows. */
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
  /** The best of the training; `null` if none was ranked, and nothing trades then. */
  readonly chosen: SweepRow | null;
  /** What the chosen set came to in the test. */
  readonly outcome: SweepRow | null;
  /** Its place by the objective among all sets of the test, 1 for the best, and how many there are. */
  readonly rank: number | null;
  readonly ranked: number;
  /** Growth a year in the test over that in the training; `null` where the training lost. */
  readonly efficiency: number | null;
}

/** Whether the folds choose alike. */
export interface ParameterStability {
  readonly name: string;
  /** Of each fold that chose. */
  readonly values: readonly unknown[];
  readonly distinct: number;
  /** Of numbers: the range of what was chosen over the range of what was tried, 0 to 1. */
  readonly spread: number | null;
}

/** What the tests come to, one after the other. */
export interface StitchedEquity {
  /** Microseconds since 1970. */
  readonly at: Float64Array;
  /** 1 at the start; each fold goes on with what the fold before left. */
  readonly equity: Float64Array;
  readonly fold: Int32Array;
  readonly totalReturn: number;
  /** Over the time of the tests alone. */
  readonly annualReturn: number | null;
  readonly sharpe: number | null;
  /** As a ratio, 0 or more. */
  readonly maxDrawdown: number;
}

export interface WalkForwardResult {
  /** What was searched and how the time was cut. */
  readonly definition: SweepDefinition;
  readonly folds: readonly WalkForwardFold[];
  readonly stitched: StitchedEquity;
  readonly stability: readonly ParameterStability[];
  /** Growth a year of all tests over that of all trainings. */
  readonly efficiency: number | null;
  /** Runs that were there already. */
  readonly reused: number;
  readonly failed: number;
  /** What is left at the end, too short for another test, in microseconds. */
  readonly leftUs: number;
}

/** Whether this is what a walk-forward gave. */
export const isWalkForwardResult = (given: unknown): given is WalkForwardResult =>
  typeof given === 'object' && given !== null && 'folds' in given && 'stitched' in given;
