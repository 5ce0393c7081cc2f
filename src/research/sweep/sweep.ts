import { availableParallelism } from 'node:os';
import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { canonicalJson } from '../../backtest/canonical.ts';
import { messageOf } from '../../config/excerpt.ts';
import { openSeries, type RecordingSeries } from '../../feeds/series.ts';
import { MillraceError } from '../../model/errors.ts';
import { elapsedNs } from '../../platform/stopwatch.ts';
import { parseParameters } from '../../strategy/parameters.ts';
import { loadedStrategy, readSettings } from '../settings.ts';
import { keyOf, partsOf } from './identity.ts';
import { constraintOf, figure, figuresOf, type Constraint } from './objective.ts';
import type { SweepOptions, SweepProgress, SweepResult, SweepRow } from './options.ts';
import { runJobs } from './pool.ts';
import { faultOf, type Job, type Outcome, type RunFault, type RunnerSetup } from './runner.ts';
import { ROW_BYTES, shareRows } from './shared-rows.ts';
import { dimensionOf, pointsOf, type Dimension, type Point } from './space.ts';
import { SweepStore } from './store.ts';

/** As much of recordings is decoded once and kept for all threads; beyond, each reads the files. */
const SHARED_BYTES_MAX = 2 ** 31;

const DEFAULT_SEED = 1;

/** A set of parameters that the sweep tries, or why it cannot. */
interface Trial {
  readonly job: Job;
  readonly strategy: string;
  readonly varied: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly fault?: RunFault;
}

/**
 * Runs a strategy with many sets of parameters, on all cores. The same options give the same rows, whatever
 * the number of threads. Runs that `store` has are not run again. What goes wrong with one run is told in
 * its row. Throws MillraceError for what makes all of it impossible, and the reason of the signal.
 */
export async function sweep(options: SweepOptions): Promise<SweepResult> {
  const checked = checkedOptions(options);
  const { strategies, markets, settings } = checked;
  const loaded: LoadedStrategy[] = [];
  for (const each of strategies) loaded.push(await loadedStrategy(each));
  for (const { recordings } of markets) readSettings({ ...settings, recordings });
  const opened: RecordingSeries[][] = [];
  try {
    for (const { recordings } of markets) opened.push([...openSeries(recordings)]);
    return await search(options, { ...checked, loaded, opened });
  } finally {
    for (const series of opened.flat()) series.close();
  }
}

interface Checked {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly strategies: SweepOptions['backtest']['strategy'][];
  readonly markets: NonNullable<SweepOptions['markets']>;
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface Opened extends Checked {
  readonly loaded: readonly LoadedStrategy[];
  readonly opened: readonly (readonly RecordingSeries[])[];
}

async function search(options: SweepOptions, parts: Opened): Promise<SweepResult> {
  const { settings, strategies, markets, loaded, opened } = parts;
  const fingerprints = opened.map((series) =>
    series.map(({ meta, fingerprint }) => ({ symbol: meta.instrument.symbol, fingerprint })),
  );
  const deciding = partsOf({ settings, strategies: loaded, markets: fingerprints });
  const trials = trialsOf(options, parts).map((trial) =>
    trial.fault === undefined
      ? { ...trial, key: keyOf(deciding, trial.strategy, keyed(trial.job)) }
      : trial,
  );
  const [first] = trials;
  if (first?.fault !== undefined && trials.every(({ fault }) => fault !== undefined)) {
    throw new MillraceError(first.fault.code, first.fault.message);
  }
  const workers = options.workers ?? availableParallelism();
  const store = options.store === undefined ? undefined : new SweepStore(options.store, deciding);
  try {
    const known = new Map(store?.outcomes());
    const judge = new Judge(options);
    const jobs = distinct(trials.filter(({ key }) => key !== undefined && !known.has(key)));
    const rows = opened.flat().reduce((sum, { summary }) => sum + summary.rows, 0);
    const isShared = workers > 0 && rows * ROW_BYTES <= SHARED_BYTES_MAX && jobs.length > 0;
    const setup: RunnerSetup = {
      ...{ settings, strategies },
      markets: markets.map(({ recordings: paths }, index) => ({
        paths,
        ...(isShared ? { rows: opened[index].map(shareRows) } : {}),
      })),
    };
    const progress = new ProgressMeter(trials.length, jobs.length, options.onProgress);
    const byIndex = new Map(jobs.map((trial) => [trial.job.index, trial]));
    await runJobs(
      jobs.map(({ job }) => job),
      {
        ...{ setup, workers, signal: options.signal },
        onOutcome: (job, outcome) => {
          const { key = '', strategy } = byIndex.get(job.index) ?? {};
          const { market, parameters } = job;
          known.set(key, outcome);
          judge.checkNames(outcome);
          if (outcome.fault?.code !== 'worker-lost') {
            const text = canonicalJson(parameters);
            store?.add({ key, strategy: strategy ?? '', market, parameters: text, outcome });
          }
          progress.ended(outcome);
        },
      },
    );
    return resultOf(
      trials.map((trial) => judge.row(trial, known.get(trial.key ?? ''))),
      { reused: trials.filter(({ key }) => key !== undefined).length - jobs.length, options },
    );
  } finally {
    store?.close();
  }
}

const keyed = ({ strategy, market, parameters }: Job): Omit<Job, 'index'> => ({
  ...{ strategy, market, parameters },
});

/** Each run once, though two trials may come to the same. */
const distinct = (trials: readonly Trial[]): readonly Trial[] => [
  ...new Map(trials.toReversed().map((trial) => [trial.key, trial])).values().toArray().reverse(),
];

function trialsOf(options: SweepOptions, { loaded, markets, parameters }: Opened): Trial[] {
  const { vary = {}, search = 'grid', trials = 100, seed = DEFAULT_SEED, where } = options;
  const [{ strategy: first }] = loaded;
  const varied = Object.entries(vary).map(([name, given]) =>
    dimensionOf(name, given, first.parameters),
  );
  const dimensions: readonly Dimension[] = [
    { name: 'strategy', values: loaded.map((_, index) => index) },
    { name: 'market', values: markets.map((_, index) => index) },
    ...varied,
  ];
  const setAt = (point: Point): Readonly<Record<string, unknown>> =>
    Object.fromEntries(varied.map(({ name, values }, index) => [name, values[point[index + 2]]]));
  const points = pointsOf(dimensions, {
    ...{ search, trials, seed },
    where: (point) => where?.(setAt(point)) ?? true,
  });
  return points.map((point, index) => {
    const [strategy, market] = point;
    const set = setAt(point);
    const given = { ...parameters, ...markets[market].parameters, ...set };
    const { name } = loaded[strategy].strategy;
    const job: Job = { index, strategy, market, parameters: given };
    try {
      const all = parseParameters(loaded[strategy].strategy, given);
      // What its schema makes of a value decides the run; threads parse what was given again.
      return { job, strategy: name, varied: set, key: canonicalJson(all) };
    } catch (error) {
      // A name that no set can have right is wrong for all of them.
      const isUnknown =
        error instanceof MillraceError && /there is no parameter/.test(error.message);
      if (!(error instanceof MillraceError) || isUnknown) throw error;
      return { job, strategy: name, varied: set, fault: faultOf(error) };
    }
  });
}

/** Judges runs by objective and constraints. */
class Judge {
  readonly #objective: SweepOptions['objective'];
  readonly #constraints: readonly Constraint[];
  #isChecked = false;

  constructor({ objective = 'sharpe', constraints = [] }: SweepOptions) {
    this.#objective = objective;
    this.#constraints = constraints.map(constraintOf);
  }

  /** Throws `objective-unknown` at the first run that has figures. */
  checkNames({ figures }: Outcome): void {
    if (figures === undefined || this.#isChecked) return;
    const found = figuresOf(figures);
    if (typeof this.#objective === 'string') figure(found, this.#objective);
    for (const { metric } of this.#constraints) figure(found, metric);
    this.#isChecked = true;
  }

  row(trial: Trial, outcome: Outcome | undefined): SweepRow {
    const { job, strategy, varied } = trial;
    const { figures, fault = trial.fault } = outcome ?? {};
    if (outcome !== undefined) this.checkNames(outcome);
    const base = {
      ...{ index: job.index, strategy, market: job.market, parameters: varied },
      hash: figures?.hash ?? null,
      metrics: figures?.metrics ?? null,
      orders: figures?.orders ?? null,
    };
    if (fault !== undefined || figures === undefined) {
      const state = outcome === undefined ? 'invalid' : 'failed';
      return { ...base, state, objective: null, ...(fault === undefined ? {} : { fault }) };
    }
    try {
      const found = figuresOf(figures);
      const objective =
        typeof this.#objective === 'function'
          ? this.#objective({ ...figures, parameters: varied })
          : figure(found, this.#objective ?? 'sharpe');
      if (typeof objective !== 'number' || !Number.isFinite(objective)) {
        throw new MillraceError(
          'objective-invalid',
          `The objective of this run is ${String(objective)}, no finite number.`,
        );
      }
      const broken = this.#constraints.find(({ metric, isMet }) => {
        const value = found.get(metric);
        return typeof value !== 'number' || !isMet(value);
      });
      if (broken === undefined) return { ...base, state: 'done', objective };
      return { ...base, state: 'infeasible', objective, constraint: broken.text };
    } catch (error) {
      const told =
        error instanceof MillraceError
          ? faultOf(error)
          : { code: 'objective-invalid' as const, message: messageOf(error) };
      return { ...base, state: 'infeasible', objective: null, fault: told };
    }
  }
}

class ProgressMeter {
  readonly #began = elapsedNs();
  readonly #total: number;
  readonly #jobs: number;
  readonly #listener: ((progress: SweepProgress) => void) | undefined;
  #done = 0;
  #failed = 0;

  constructor(
    total: number,
    jobs: number,
    listener: ((progress: SweepProgress) => void) | undefined,
  ) {
    this.#total = total;
    this.#jobs = jobs;
    this.#listener = listener;
  }

  ended({ fault }: Outcome): void {
    this.#done += 1;
    if (fault !== undefined) this.#failed += 1;
    const seconds = (elapsedNs() - this.#began) / 1e9;
    const runsPerSecond = this.#done / seconds;
    this.#listener?.({
      done: this.#total - this.#jobs + this.#done,
      total: this.#total,
      failed: this.#failed,
      runsPerSecond,
      secondsLeft: (this.#jobs - this.#done) / runsPerSecond,
    });
  }
}

function resultOf(
  rows: readonly SweepRow[],
  { reused, options }: { readonly reused: number; readonly options: SweepOptions },
): SweepResult {
  const sign = options.direction === 'minimize' ? -1 : 1;
  const ranked = rows
    .filter(({ state }) => state === 'done')
    .toSorted((a, b) => sign * ((b.objective ?? 0) - (a.objective ?? 0)) || a.index - b.index);
  const count = (state: SweepRow['state']): number =>
    rows.filter((row) => row.state === state).length;
  return {
    ...{ rows, ranked, reused },
    counts: {
      ...{ done: count('done'), infeasible: count('infeasible') },
      ...{ failed: count('failed'), invalid: count('invalid') },
    },
  };
}

/** Throws `config-invalid` and `usage` for options that no compiler has read. */
function checkedOptions(options: SweepOptions): Checked {
  const given: unknown = options;
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (!isObject(given) || !isObject((given as Partial<SweepOptions>).backtest)) {
    throw new MillraceError(
      'config-invalid',
      'sweep takes an object of options, with the settings of a backtest in backtest.',
      { field: 'backtest' },
    );
  }
  const { strategy, parameters = {}, ...settings } = options.backtest;
  const strategies = [...(options.strategies ?? [strategy])];
  const workers = options.workers ?? 1;
  const { trials = 1, seed = 1 } = options;
  for (const [field, value, least] of [
    ['workers', workers, 0],
    ['trials', trials, 1],
    ['seed', seed, Number.MIN_SAFE_INTEGER],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw new MillraceError('out-of-range', `${field} is ${String(value)}; give a whole number.`, {
      field,
    });
  }
  if (workers > 0 && strategies.some((each) => typeof each !== 'string')) {
    throw new MillraceError(
      'usage',
      'Threads load a strategy from its file: name it or give its path, or run the sweep in this thread with workers: 0.',
      { field: 'strategy' },
    );
  }
  const markets = options.markets ?? [{ recordings: settings.recordings }];
  return { settings: { ...settings }, strategies, markets, parameters };
}
