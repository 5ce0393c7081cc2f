import type { BacktestResult, MarginRecord } from '../../backtest/result.ts';
import type { StrategyDefinition } from '../../strategy/define.ts';
import type { BacktestSettings } from '../settings.ts';
import type { SweepDefinition } from './definition.ts';
import type { StoredReturns } from './returns.ts';
import type { RunFault, RunFigures } from './runner.ts';
import type { Variation } from './space.ts';

/** A sweep: one backtest with many sets of parameters. */
export interface SweepOptions {
  /** What all runs have in common. */
  readonly backtest: SweptBacktest;
  /** What each parameter varies over, by its name: `{ fast: '5..50 step 5', period: ['M1', 'M5'] }`. */
  readonly vary?: Readonly<Record<string, Variation>>;
  /** Strategies to compare, instead of the one of `backtest`; each has all parameters that vary. */
  readonly strategies?: readonly (string | StrategyDefinition)[];
  /** Markets to compare, instead of the recordings of `backtest`. */
  readonly markets?: readonly SweepMarket[];
  /**
   * Every set; or so many: drawn at random, spread evenly (`halton`), or proposed by what came before
   * (`tpe`). `grid` if absent.
   */
  readonly search?: 'grid' | 'random' | 'halton' | 'tpe';
  /** How many sets are tried where not all are, 100 if absent. */
  readonly trials?: number;
  /** Seed of that chance, 1 if absent; the runs have the seed of `backtest`. */
  readonly seed?: number;
  /**
   * How many results back the last one is that a proposal of `tpe` knows, 16 if absent. So many threads
   * wait for nothing; with another lag other sets are proposed, with another number of threads the same.
   */
  readonly lag?: number;
  /**
   * A metric by its name in the results, such as `sharpe` or `margin.returnOnFunds`, or a function of a run;
   * `sharpe` if absent.
   */
  readonly objective?: string | ((run: JudgedRun) => number | null);
  /** `maximize` if absent. */
  readonly direction?: 'maximize' | 'minimize';
  /** What a run has to meet to be ranked: `trades.count >= 10`. */
  readonly constraints?: readonly string[];
  /** Judges a set before it runs; one that is not wanted is no trial. */
  readonly where?: (parameters: Readonly<Record<string, unknown>>) => boolean;
  /** Threads; as many as there are cores if absent, 0 for this thread alone. */
  readonly workers?: number;
  /** Path of the database that keeps every run, so that a sweep goes on where it was ended. */
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
  /** Where credentials are, as `NATS_CREDS`; the environment of the process if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether workers see the recordings under the same paths; none is uploaded then. */
  readonly sharedRecordings?: boolean;
  /** After so long without a sign of life a job is given to another worker; 30,000 if absent. */
  readonly ackWaitMs?: number;
  /** Called with what somebody should know: that no worker is there, and why one does not take part. */
  readonly onNotice?: (text: string) => void;
}

export interface SweptBacktest extends BacktestSettings {
  /** Its name or the path of its file; threads cannot be given a strategy as it is. */
  readonly strategy: string | StrategyDefinition;
  /** Parameters that do not vary. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface SweepMarket {
  readonly recordings: readonly string[];
  /** Parameters that go with it, its symbol above all. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A run as an objective sees it: the result but for its series and its rows. */
export interface JudgedRun extends RunFigures {
  /** Those that vary. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface SweepProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly runsPerSecond: number;
  readonly secondsLeft: number;
}

/** One set of parameters, and what came of it. */
export interface SweepRow {
  readonly index: number;
  readonly strategy: string;
  /** The place of its market, from 0. */
  readonly market: number;
  /** Those that vary. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * `done` is ranked; `infeasible` ran but has no objective or breaks a constraint; `failed` did not run to
   * its end; `invalid` was refused by the schema of the strategy.
   */
  readonly state: 'done' | 'infeasible' | 'failed' | 'invalid';
  readonly objective: number | null;
  /** The constraint that it breaks. */
  readonly constraint?: string;
  readonly hash: string | null;
  /** SHA-256 of all that decides the run: equal keys are equal runs; `null` where the schema refused it. */
  readonly key: string | null;
  readonly metrics: BacktestResult['metrics'] | null;
  readonly orders: BacktestResult['orders'] | null;
  /** Of margin accounts, where there were any. */
  readonly margin: MarginRecord | null;
  /** Why the figures of the run may be wrong. */
  readonly warnings: readonly string[];
  readonly fault?: RunFault;
}

/** How far the best of a sweep may be owed to having tried many sets. */
export interface SweepOverfitting {
  /** Sets that ran; as they are alike, fewer of them are independent, and this counts them all. */
  readonly trials: number;
  /** Periods of the returns that it is made of, which all sets have. */
  readonly periods: number;
  readonly periodUs: number;
  /** The probability that the Sharpe ratio of the best is above what chance gives the best of so many. */
  readonly deflatedSharpe: number | null;
  /** The same over all sweeps of the store on the same recordings and strategy text; `null` without a store. */
  readonly inStore: StoreOverfitting | null;
  /** The probability of over-fitting, by cross-validation over so many blocks of the time. */
  readonly probability: number | null;
  readonly blocks: number | null;
}

/** How far the best of a sweep may be owed to all that was tried on the same data. */
export interface StoreOverfitting {
  /** Sets that ran in any sweep or walk-forward of the store, each counted once. */
  readonly trials: number;
  /** With that number, and the variance over all of them that ran over the whole time. */
  readonly deflatedSharpe: number | null;
}

export interface SweepResult {
  readonly definition: SweepDefinition;
  /** Every set in the order in which it was proposed. */
  readonly rows: readonly SweepRow[];
  /** Those that are done, best first. */
  readonly ranked: readonly SweepRow[];
  /** The returns of the first 1,000 of `ranked`, in their order; `null` of a run of fewer than two samples. */
  readonly returns: readonly (StoredReturns | null)[];
  /** Sets whose runs were there already, in the store or as another set. */
  readonly reused: number;
  readonly counts: Readonly<Record<SweepRow['state'], number>>;
  /** `null` where fewer than two periods or no set that is ranked allow nothing to be said. */
  readonly overfitting: SweepOverfitting | null;
}

/** Whether this is what a sweep gave. */
export const isSweepResult = (given: unknown): given is SweepResult =>
  typeof given === 'object' && given !== null && 'definition' in given && 'ranked' in given;
