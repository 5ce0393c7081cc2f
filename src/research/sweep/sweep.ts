import { availableParallelism } from 'node:os';
import { canonicalJson } from '../../backtest/canonical.ts';
import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { openSeries, type RecordingSeries } from '../../feeds/series.ts';
import { MillraceError } from '../../model/errors.ts';
import { loadedStrategy, readSettings } from '../settings.ts';
import { definitionOf } from './define.ts';
import { identityOf } from './identity.ts';
import { Judge, resultOf } from './judge.ts';
import type { SweepOptions, SweepResult } from './options.ts';
import { runJobs } from './pool.ts';
import { ProgressMeter } from './progress.ts';
import type { RunnerSetup } from './runner.ts';
import { ROW_BYTES, shareRows } from './shared-rows.ts';
import { SweepStore } from './store.ts';
import { checkedOptions, trialsOf, type Checked, type Trial } from './trials.ts';

/** As much of recordings is decoded once and kept for all threads; beyond, each reads the files. */
const SHARED_BYTES_MAX = 2 ** 31;

/**
 * Runs a strategy with many sets of parameters, on all cores. The same options give the same rows, whatever
 * the number of threads. Runs that `store` has are not run again. What goes wrong with one run is told in
 * its row. Throws MillraceError for what makes all of it impossible, and the reason of the signal.
 */
export async function sweep(options: SweepOptions): Promise<SweepResult> {
  const checked = checkedOptions(options);
  const judge = new Judge(options);
  const { strategies, markets, settings } = checked;
  const loaded: LoadedStrategy[] = [];
  for (const each of strategies) loaded.push(await loadedStrategy(each));
  for (const { recordings } of markets) readSettings({ ...settings, recordings });
  const opened: RecordingSeries[][] = [];
  try {
    for (const { recordings } of markets) opened.push([...openSeries(recordings)]);
    return await search(options, { ...checked, judge, loaded, opened });
  } finally {
    for (const series of opened.flat()) series.close();
  }
}

/** A trial with the key of its run; one that is refused has none. */
type KeyedTrial = Trial & { readonly key?: string };

interface Opened extends Checked {
  readonly judge: Judge;
  readonly loaded: readonly LoadedStrategy[];
  readonly opened: readonly (readonly RecordingSeries[])[];
}

async function search(options: SweepOptions, parts: Opened): Promise<SweepResult> {
  const { settings, strategies, markets, judge, loaded, opened } = parts;
  const { parts: deciding, keyOf } = identityOf({
    ...{ settings, strategies: loaded, markets: opened },
  });
  const trials = trialsOf(options, parts).map((trial): KeyedTrial => {
    const { parsed, job } = trial;
    return parsed === undefined ? trial : { ...trial, key: keyOf(job, parsed) };
  });
  const [first] = trials;
  if (first?.fault !== undefined && trials.every(({ fault }) => fault !== undefined)) {
    throw new MillraceError(first.fault.code, first.fault.message);
  }
  const workers = options.workers ?? availableParallelism();
  const store = options.store === undefined ? undefined : new SweepStore(options.store, deciding);
  try {
    const known = new Map(store?.outcomes());
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
          if (outcome.fault?.code !== 'worker-lost') {
            const text = canonicalJson(parameters);
            store?.add({ key, strategy: strategy ?? '', market, parameters: text, outcome });
          }
          progress.ended(outcome);
        },
      },
    );
    return resultOf(
      trials.map((trial) => ({
        ...judge.row(trial, known.get(trial.key ?? '')),
        key: trial.key ?? null,
      })),
      {
        reused: trials.filter(({ key }) => key !== undefined).length - jobs.length,
        definition: definitionOf(options, deciding, parts),
      },
    );
  } finally {
    store?.close();
  }
}

/** Each run once, though two trials may come to the same. */
const distinct = (trials: readonly KeyedTrial[]): readonly KeyedTrial[] => [
  ...new Map(trials.toReversed().map((trial) => [trial.key, trial])).values().toArray().reverse(),
];
