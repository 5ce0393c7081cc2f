import { planOf, type LoadedStrategy } from '../../backtest/config/plan.ts';
import { checkSpans } from '../../backtest/plan.ts';
import type { QualityMemo } from '../../backtest/quality.ts';
import type { BacktestResult, MarginRecord } from '../../backtest/result.ts';
import { runOn } from '../../backtest/run.ts';
import { messageOf } from '../../config/excerpt.ts';
import { openSeries, type RecordingSeries } from '../../feeds/series.ts';
import { MillraceError, type ErrorCode } from '../../model/errors.ts';
import { elapsedNs } from '../../platform/stopwatch.ts';
import type { StrategyDefinition } from '../../strategy/define.ts';
import { loadedStrategy, readSettings } from '../settings.ts';
import { inTurn } from '../turns.ts';
import { storedReturns, type StoredReturns } from './returns.ts';
import { seriesOfRows, type SharedRows } from './shared-rows.ts';

/** The common part of all runs of a sweep, for threads. */
export interface RunnerSetup {
  /** Settings of a program. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly strategies: readonly (string | StrategyDefinition)[];
  readonly markets: readonly RunnerMarket[];
}

export interface RunnerMarket {
  readonly paths: readonly string[];
  /** Their rows in memory; without them each thread reads the files. */
  readonly rows?: readonly SharedRows[];
}

/** A run of a sweep. */
export interface Job {
  readonly index: number;
  readonly strategy: number;
  readonly market: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Replaces `from` and `till` of the settings: the window of a walk-forward. */
  readonly span?: JobSpan;
}

/** Times in the form of the settings. */
export interface JobSpan {
  readonly from: string;
  readonly till: string;
}

/** Result of an ended run for a sweep: without series, rows and the common part of all runs. */
export interface RunFigures {
  readonly hash: string;
  readonly metrics: BacktestResult['metrics'];
  readonly orders: BacktestResult['orders'];
  readonly balances: BacktestResult['balances'];
  /** Why these figures may be wrong, rejected orders above all. */
  readonly warnings: BacktestResult['warnings'];
  /** Present with margin trading. */
  readonly margin?: MarginRecord;
  readonly returns?: StoredReturns;
}

export interface RunFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly where?: string;
}

/** Outcome of a job; a strategy that threw leaves figures and a fault. */
export interface Outcome {
  readonly figures?: RunFigures;
  readonly fault?: RunFault;
  readonly ms: number;
}

/** Runs jobs of a sweep one after the other; loads each strategy and opens each recording once. */
export class TrialRunner {
  readonly #setup: RunnerSetup;
  readonly #loaded = new Map<number, Promise<LoadedStrategy>>();
  /** Findings of the checks in the recordings of a market, which runs share. */
  readonly #found = new Map<number, QualityMemo>();
  readonly #opened = new Map<number, readonly RecordingSeries[]>();

  constructor(setup: RunnerSetup) {
    this.#setup = setup;
  }

  /** Every error becomes a fault of the outcome. */
  async run(job: Job): Promise<Outcome> {
    const began = elapsedNs();
    const ms = (): number => (elapsedNs() - began) / 1e6;
    try {
      const result = await inTurn(() => this.#result(job));
      const { failure } = result;
      const figures = figuresOfRun(result);
      if (failure === undefined) return { figures, ms: ms() };
      const { message, where } = failure;
      const fault = { code: 'strategy-failed' as const, message };
      return { figures, fault: where === undefined ? fault : { ...fault, where }, ms: ms() };
    } catch (error) {
      return { fault: faultOf(error), ms: ms() };
    }
  }

  close(): void {
    for (const series of this.#opened.values()) for (const each of series) each.close();
    this.#opened.clear();
  }

  async #result({ strategy, market, parameters, span }: Job): Promise<BacktestResult> {
    const loaded = await this.#strategy(strategy);
    const { paths } = this.#setup.markets[market];
    const config = readSettings({ ...this.#setup.settings, ...span, recordings: paths });
    const plan = planOf({ ...config, parameters }, loaded);
    checkSpans(plan);
    return runOn(plan, this.#recordings(market), { quality: this.#quality(market) });
  }

  #quality(market: number): QualityMemo {
    const known = this.#found.get(market);
    if (known !== undefined) return known;
    const memo: QualityMemo = new Map();
    this.#found.set(market, memo);
    return memo;
  }

  #strategy(index: number): Promise<LoadedStrategy> {
    const known = this.#loaded.get(index);
    if (known !== undefined) return known;
    const loading = loadedStrategy(this.#setup.strategies[index]);
    this.#loaded.set(index, loading);
    return loading;
  }

  #recordings(index: number): readonly RecordingSeries[] {
    const known = this.#opened.get(index);
    if (known !== undefined) return known;
    const { paths, rows } = this.#setup.markets[index];
    const opened = rows === undefined ? openSeries(paths) : rows.map(seriesOfRows);
    this.#opened.set(index, opened);
    return opened;
  }
}

function figuresOfRun(result: BacktestResult): RunFigures {
  const { hash, metrics, orders, balances, warnings, margin } = result;
  const returns = storedReturns(result);
  return {
    hash,
    metrics,
    orders,
    balances,
    warnings,
    margin,
    returns,
  };
}

/** An error as plain data: its code does not cross threads. */
export function faultOf(error: unknown): RunFault {
  if (!(error instanceof MillraceError)) return { code: 'internal', message: messageOf(error) };
  const { code, message, where } = error;
  return where === undefined ? { code, message } : { code, message, where };
}
