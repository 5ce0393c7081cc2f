import type { BacktestResult, MarginRecord } from '../../backtest/result.ts';
import type { StrategyDefinition } from '../../strategy/define.ts';
import type { BacktestSettings } from '../settings.ts';
import type { SweepDefinition } from './definition.ts';
import type { StoredReturns } from './returns.ts';
import type { RunFault, RunFigures } from './runner.ts';
import type { Variation } from './space.ts';

/** A sweep: one backtest with many sets of parameters. */
export interface SweepOptions {
  /** The common part of all runs. */
  readonly backtest: SweptBacktest;
  /** Values of each varied parameter, by name: `{ fast: '5..50 step 5', period: ['M1', 'M5'] }`. */
  readonly vary?: Readonly<Record<string, Variation>>;
  /** Strategies to compare, instead of the one of `backtest`; each has all varied parameters. */
  readonly strategies?: readonly (string | StrategyDefinition)[];
  /** Markets to compare, instead of the recordings of `backtest`. */
  readonly markets?: readonly SweepMarket[];
  /**
   * Every set; or `trials` sets: random, evenly spread (`halton`), or guided by results (`tpe`).
   * `grid` if absent.
   */
  readonly search?: 'grid' | 'random' | 'halton' | 'tpe';
  /** How many sets are tried unless all are, 100 if absent. */
  readonly trials?: number;
  /** Seed of the search, 1 if absent; the runs have the seed of `backtest`. */
  readonly seed?: number;
  /**
   * A proposal of `tpe` uses the results up to this many sets back, 16 if absent. Up to this many
   * threads never wait; another lag gives other sets, another number of threads the same.
   */
  readonly lag?: number;
  /**
   * A metric by its name in the results, such as `sharpe` or `margin.returnOnFunds`, or a function
   * of a run; `sharpe` if absent.
   */
  readonly objective?: string | ((run: JudgedRun) => number | null);
  /** `maximize` if absent. */
  readonly direction?: 'maximize' | 'minimize';
  /** Conditions for a run to be ranked: `trades.count >= 10`. */
  readonly constraints?: readonly string[];
  /** Filters sets before they run; a rejected one is not a trial. */
  readonly where?: (parameters: Readonly<Record<string, unknown>>) => boolean;
  /** Threads; the number of cores if absent, 0 for this thread alone. */
  readonly workers?: number;
  /** Path of the database that stores every run, so that a sweep continues where it ended. */
  readonly store?: string;
  /** Runs on the workers of a NATS server instead of threads of this process. */
  readonly nats?: SweepNats;
  /** Ends the sweep: `sweep` then throws its reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SweepProgress) => void;
}

/** A NATS server whose workers run a sweep: `millrace worker --nats URL`. */
export interface SweepNats {
  /** `nats://host:4222` or `tls://host:4222`; several with commas. */
  readonly url: string;
  /** Credentials, such as `NATS_CREDS`; the environment of the process if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** True if workers have the recordings under the same paths; none is uploaded then. */
  readonly sharedRecordings?: boolean;
  /** Time without a heartbeat after which a job goes to another worker; 30,000 if absent. */
  readonly ackWaitMs?: number;
  /** Called with notices: that no worker is present, and why one does not take part. */
  readonly onNotice?: (text: string) => void;
}

export interface SweptBacktest extends BacktestSettings {
  /** Its name or the path of its file; threads cannot receive a strategy object. */
  readonly strategy: string | StrategyDefinition;
  /** Fixed parameters. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface SweepMarket {
  readonly recordings: readonly string[];
  /** Parameters of this market, its symbol above all. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A run for an objective: the result without its series and rows. */
export interface JudgedRun extends RunFigures {
  /** Varied parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface SweepProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly runsPerSecond: number;
  readonly secondsLeft: number;
}

/** One set of parameters, and its result. */
export interface SweepRow {
  readonly index: number;
  readonly strategy: string;
  /** Index of its market, from 0. */
  readonly market: number;
  /** Varied parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * `done` is ranked; `infeasible` ran but has no objective or breaks a constraint; `failed` did
   * not run to its end; `invalid` was rejected by the strategy's schema.
   */
  readonly state: 'done' | 'infeasible' | 'failed' | 'invalid';
  readonly objective: number | null;
  /** The broken constraint. */
  readonly constraint?: string;
  readonly hash: string | null;
  /**
   * SHA-256 of all inputs of the run: equal keys are equal runs; `null` if the schema rejected it.
   */
  readonly key: string | null;
  readonly metrics: BacktestResult['metrics'] | null;
  readonly orders: BacktestResult['orders'] | null;
  /** Of margin accounts, if there were any. */
  readonly margin: MarginRecord | null;
  /** Why the figures of the run may be wrong. */
  readonly warnings: readonly string[];
  readonly fault?: RunFault;
}

/** How much of a sweep's best result may be due to the number of trials. */
export interface SweepOverfitting {
  /** Sets that ran; similar ones are not independent, but all count. */
  readonly trials: number;
  /** Number of return periods that all sets have in common. */
  readonly periods: number;
  readonly periodUs: number;
  /** The probability that the Sharpe ratio of the best is above that of the best by chance. */
  readonly deflatedSharpe: number | null;
  /**
   * The same over all sweeps of the store on the same recordings and strategy source; `null`
   * without a store.
   */
  readonly inStore: StoreOverfitting | null;
  /** The probability of over-fitting, by cross-validation over blocks of the time. */
  readonly probability: number | null;
  readonly blocks: number | null;
}

/** How much of a sweep's best result may be due to all trials on the same data. */
export interface StoreOverfitting {
  /** Sets that ran in any sweep or walk-forward of the store, each counted once. */
  readonly trials: number;
  /** With that number, and the variance of all sets that ran over the whole time. */
  readonly deflatedSharpe: number | null;
}

export interface SweepResult {
  readonly definition: SweepDefinition;
  /** Every set in the order of proposal. */
  readonly rows: readonly SweepRow[];
  /** Ranked sets, best first. */
  readonly ranked: readonly SweepRow[];
  /**
   * Returns of the first 1,000 of `ranked`, in order; `null` for a run with fewer than two samples.
   */
  readonly returns: readonly (StoredReturns | null)[];
  /** Sets whose runs existed already, in the store or as another set. */
  readonly reused: number;
  readonly counts: Readonly<Record<SweepRow['state'], number>>;
  /** `null` with fewer than two periods or without a ranked set. */
  readonly overfitting: SweepOverfitting | null;
}

/** True for a result of a sweep. */
export const isSweepResult = (given: unknown): given is SweepResult =>
  typeof given === 'object' && given !== null && 'definition' in given && 'ranked' in given;
