import { availableParallelism } from 'node:os';
import { canonicalJson } from '../../backtest/canonical.ts';
import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { openSeries, type RecordingSeries } from '../../feeds/series.ts';
import { MillraceError } from '../../model/errors.ts';
import { loadedStrategy, readSettings } from '../settings.ts';
import { identityOf, type Identity } from './identity.ts';
import { Judge } from './judge.ts';
import type { SweepOptions, SweepRow } from './options.ts';
import { runJobs } from './pool.ts';
import { ProgressMeter } from './progress.ts';
import type { Job, JobSpan, Outcome, RunnerSetup } from './runner.ts';
import type { StoredReturns } from './returns.ts';
import { areShared, shareRows } from './shared-rows.ts';
import { SweepStore, type RunWindow, type TriedSet } from './store.ts';
import { checkedOptions, spaceOf, type Checked, type SweepSpace, type Trial } from './trials.ts';

const WHOLE: RunWindow = { fold: -1, part: 'all' };

/** A trial with the key of its run; an invalid one has none. */
export interface KeyedTrial extends Trial {
  readonly key?: string;
  readonly window: RunWindow;
}

/** Open inputs of a sweep: strategies, recordings and the space. */
export interface OpenSweep extends Checked {
  readonly options: SweepOptions;
  readonly judge: Judge;
  readonly loaded: readonly LoadedStrategy[];
  readonly opened: readonly (readonly RecordingSeries[])[];
  readonly identity: Identity;
  readonly space: SweepSpace;
}

/**
 * Opens the inputs of a sweep, and closes them after the work. Throws MillraceError for invalid
 * ones.
 */
export async function withOpen<T>(
  options: SweepOptions,
  work: (open: OpenSweep) => Promise<T>,
): Promise<T> {
  const checked = checkedOptions(options);
  const judge = new Judge(options);
  const { strategies, markets, settings } = checked;
  const loaded: LoadedStrategy[] = [];
  for (const each of strategies) loaded.push(await loadedStrategy(each));
  for (const { recordings } of markets) readSettings({ ...settings, recordings });
  const opened: RecordingSeries[][] = [];
  try {
    for (const { recordings } of markets) opened.push([...openSeries(recordings)]);
    const identity = identityOf({ settings, strategies: loaded, markets: opened });
    const space = spaceOf(options, { ...checked, loaded });
    return await work({ ...checked, options, judge, loaded, opened, identity, space });
  } finally {
    for (const series of opened.flat()) series.close();
  }
}

/**
 * Runs of a sweep: an existing one, in the store or as another set, is not run again. Every run is
 * in the store before it is reported.
 */
export class Runs {
  readonly progress: ProgressMeter;
  readonly #open: OpenSweep;
  readonly #known = new Map<string, Outcome>();
  readonly #underWay = new Map<string, PromiseWithResolvers<Outcome>>();
  readonly #byIndex = new Map<number, KeyedTrial>();
  #store: SweepStore | undefined;
  #earlier: readonly TriedSet[] | undefined;

  constructor(open: OpenSweep, total: number) {
    this.#open = open;
    this.progress = new ProgressMeter(total, open.options.onProgress);
  }

  /** The trial of a point, in a window of the time if one is given. */
  trial(point: readonly number[], index: number, window = WHOLE, span?: JobSpan): KeyedTrial {
    const { space, identity } = this.#open;
    const trial = space.trialAt(point, index, span);
    const { parsed, job } = trial;
    if (parsed === undefined) return { ...trial, window };
    return { ...trial, window, key: identity.keyOf(job, parsed) };
  }

  /** The job of a trial, unless its run exists or is unfinished. */
  *job(trial: KeyedTrial): Iterable<Job> {
    const { key, job } = trial;
    if (key === undefined || this.#known.has(key) || this.#underWay.has(key)) {
      if (key !== undefined) this.progress.found();
      return;
    }
    this.#underWay.set(key, Promise.withResolvers());
    this.#byIndex.set(job.index, trial);
    yield job;
  }

  /** The outcome of a trial, once its run has ended. */
  async outcome({ key = '' }: KeyedTrial): Promise<Outcome | undefined> {
    return this.#known.get(key) ?? (await this.#underWay.get(key)?.promise);
  }

  /** The row of a trial whose run has ended, or that has none. */
  row(trial: KeyedTrial): SweepRow {
    const row = this.#open.judge.row(trial, this.#known.get(trial.key ?? ''));
    return { ...row, key: trial.key ?? null };
  }

  figures({ key = '' }: KeyedTrial): Outcome['figures'] {
    return this.#known.get(key)?.figures;
  }

  /**
   * Every set tried on the same data as these trials, by this sweep or earlier ones in the store,
   * with its returns over the whole time; none without a store.
   */
  tried(trials: readonly KeyedTrial[]): readonly (StoredReturns | undefined)[] | undefined {
    if (this.#earlier === undefined) return undefined;
    const { identity } = this.#open;
    const own = trials.flatMap(({ key, job }): readonly TriedSet[] => {
      const outcome = key === undefined ? undefined : this.#known.get(key);
      if (key === undefined || outcome?.fault !== undefined) return [];
      const parameters = canonicalJson(job.parameters);
      return [{ key, data: identity.dataOf(job), parameters, isWhole: true }];
    });
    const data = new Set(own.map((set) => set.data));
    const sets = new Map<string, StoredReturns | undefined>();
    for (const set of [...this.#earlier, ...own]) {
      if (!data.has(set.data)) continue;
      const name = `${set.data} ${set.parameters}`;
      const returns = set.isWhole ? this.#known.get(set.key)?.figures?.returns : undefined;
      sets.set(name, returns ?? sets.get(name));
    }
    return [...sets.values()];
  }

  /** Runs the jobs of trials that are made once the store is open. */
  async run(jobs: () => AsyncIterable<Job>): Promise<void> {
    const { options, opened, settings, strategies, markets } = this.#open;
    const { store: path, signal } = options;
    this.#store = path === undefined ? undefined : new SweepStore(path, this.#open.identity.parts);
    try {
      this.#earlier = this.#store?.tried();
      for (const [key, outcome] of this.#store?.outcomes() ?? []) this.#known.set(key, outcome);
      const onOutcome = (job: Job, outcome: Outcome): void => this.#ended(job, outcome);
      const { nats } = options;
      if (nats !== undefined) {
        const { runJobsOnWorkers } = await import('../remote/coordinator.ts');
        const { loaded } = this.#open;
        await runJobsOnWorkers(jobs(), { settings, loaded, markets, nats, signal, onOutcome });
        return;
      }
      const workers = options.workers ?? availableParallelism();
      const isShared = areShared(opened.flat());
      const setup: RunnerSetup = {
        settings,
        strategies,
        markets: markets.map(({ recordings: paths }, index) => ({
          paths,
          ...(isShared ? { rows: opened[index].map(shareRows) } : {}),
        })),
      };
      await runJobs(jobs(), { setup, workers, signal, onOutcome });
    } finally {
      this.#store?.close();
    }
  }

  #ended(job: Job, outcome: Outcome): void {
    const trial = this.#byIndex.get(job.index);
    const { key = '', strategy = '', window = WHOLE } = trial ?? {};
    if (outcome.fault?.code !== 'worker-lost') {
      const parameters = canonicalJson(job.parameters);
      const data = this.#open.identity.dataOf(job);
      this.#store?.add({ key, strategy, market: job.market, parameters, window, data, outcome });
    }
    this.#known.set(key, outcome);
    this.#underWay.get(key)?.resolve(outcome);
    this.progress.ended(outcome);
  }
}

/** Throws the fault of all trials, if they share one. */
export function throwIfAllInvalid(trials: readonly Trial[]): void {
  const [first] = trials;
  if (first?.fault === undefined || trials.some(({ fault }) => fault === undefined)) return;
  throw new MillraceError(first.fault.code, first.fault.message);
}
