import type { BacktestResult } from '../backtest/result.ts';
import { runBacktest, type Progress } from '../backtest/run.ts';
import { MillraceError } from '../model/errors.ts';
import type { StrategyDefinition } from '../strategy/define.ts';
import type { z } from 'zod';
import { equityArrays, fillArrays, orderArrays, type RunSeries } from './columns.ts';
import { loadedStrategy, planFor, type BacktestSettings } from './settings.ts';
import { inTurn } from './turns.ts';

/** Options of a backtest in a program. */
export interface BacktestOptions<S extends z.ZodObject = z.ZodObject> extends BacktestSettings {
  /** A strategy, or the name or path of its file. */
  readonly strategy: StrategyDefinition<S> | string;
  /** Parameters of the strategy; absent ones have their defaults. */
  readonly parameters?: Partial<z.input<S>>;
  /** Ends the run early: `backtest` then throws its reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Result of a run: as in `result.json`, and its series as typed arrays. */
export interface BacktestRun {
  readonly result: BacktestResult;
  readonly hash: string;
  readonly metrics: BacktestResult['metrics'];
  /** Why the strategy was stopped before the end, if it was. */
  readonly failure?: NonNullable<BacktestResult['failure']>;
  /** Made at the first use. */
  readonly series: RunSeries;
}

/**
 * Runs one backtest in this thread. Concurrent calls run one after the other, each on its own
 * clock. Throws MillraceError for options that cannot be run, and the reason of the signal; a
 * strategy that throws is stopped, and `failure` says so.
 */
export async function backtest<S extends z.ZodObject = z.ZodObject>(
  options: BacktestOptions<S>,
): Promise<BacktestRun> {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw new MillraceError('config-invalid', 'backtest takes an object of settings.');
  }
  const { strategy, signal, onProgress, ...settings } = options;
  const loaded = await loadedStrategy(strategy);
  const plan = planFor(settings, loaded);
  const result = await inTurn(() =>
    runBacktest(plan, {
      signal,
      onProgress,
    }),
  );
  return new Run(result);
}

class Run implements BacktestRun {
  readonly result: BacktestResult;
  readonly series: RunSeries;
  declare readonly failure?: NonNullable<BacktestResult['failure']>;

  constructor(result: BacktestResult) {
    this.result = result;
    this.series = new Series(result);
    if (result.failure !== undefined) this.failure = result.failure;
  }

  get hash(): string {
    return this.result.hash;
  }

  get metrics(): BacktestResult['metrics'] {
    return this.result.metrics;
  }
}

class Series implements RunSeries {
  readonly #result: BacktestResult;
  #equity: RunSeries['equity'] | undefined;
  #fills: RunSeries['fills'] | undefined;
  #orders: RunSeries['orders'] | undefined;

  constructor(result: BacktestResult) {
    this.#result = result;
  }

  get equity(): RunSeries['equity'] {
    return (this.#equity ??= equityArrays(this.#result));
  }

  get fills(): RunSeries['fills'] {
    return (this.#fills ??= fillArrays(this.#result));
  }

  get orders(): RunSeries['orders'] {
    return (this.#orders ??= orderArrays(this.#result));
  }
}

/** True for a result of `backtest`. */
export const isRun = (given: unknown): given is BacktestRun => given instanceof Run;
