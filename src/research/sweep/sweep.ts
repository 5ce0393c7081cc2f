import { availableParallelism } from 'node:os';
import { canonicalJson } from '../../backtest/canonical.ts';
import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { openSeries, type RecordingSeries } from '../../feeds/series.ts';
import { MillraceError } from '../../model/errors.ts';
import { loadedStrategy, readSettings } from '../settings.ts';
import { keyOf, partsOf } from './identity.ts';
import { Judge, resultOf } from './judge.ts';
import type { SweepOptions, SweepResult } from './options.ts';
import { runJobs } from './pool.ts';
import { ProgressMeter } from './progress.ts';
import type { Job, Outcome, RunnerSetup } from './runner.ts';
import { areShared, shareRows } from './shared-rows.ts';
import { SweepStore } from './store.ts';
import { checkedOptions, trialsOf, type Checked, type Trial } from './trials.ts';

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

/** A trial with the key of its run; one that is refused has none. */
type KeyedTrial = Trial & { readonly key?: string };

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
  const trials = trialsOf(options, parts).map((trial): KeyedTrial => {
    const { parsed, strategy, job } = trial;
    if (parsed === undefined) return trial;
    return { ...trial, key: keyOf(deciding, strategy, job.market, parsed) };
  });
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
    const { nats, signal } = options;
    const isShared =
      nats === undefined && workers > 0 && areShared(opened.flat()) && jobs.length > 0;
    const setup: RunnerSetup = {
      ...{ settings, strategies },
      markets: markets.map(({ recordings: paths }, index) => ({
        paths,
        ...(isShared ? { rows: opened[index].map(shareRows) } : {}),
      })),
    };
    const progress = new ProgressMeter(trials.length, jobs.length, options.onProgress);
    const byIndex = new Map(jobs.map((trial) => [trial.job.index, trial]));
    const onOutcome = (job: Job, outcome: Outcome): void => {
      const { key = '', strategy } = byIndex.get(job.index) ?? {};
      const { market, parameters } = job;
      known.set(key, outcome);
      judge.checkNames(outcome);
      if (outcome.fault?.code !== 'worker-lost') {
        const text = canonicalJson(parameters);
        store?.add({ key, strategy: strategy ?? '', market, parameters: text, outcome });
      }
      progress.ended(outcome);
    };
    const list = jobs.map(({ job }) => job);
    if (nats === undefined) await runJobs(list, { setup, workers, signal, onOutcome });
    else {
      const { runJobsOnWorkers } = await import('../remote/coordinator.ts');
      await runJobsOnWorkers(list, { settings, loaded, markets, nats, signal, onOutcome });
    }
    return resultOf(
      trials.map((trial) => judge.row(trial, known.get(trial.key ?? ''))),
      { reused: trials.filter(({ key }) => key !== undefined).length - jobs.length, options },
    );
  } finally {
    store?.close();
  }
}

/** Each run once, though two trials may come to the same. */
const distinct = (trials: readonly KeyedTrial[]): readonly KeyedTrial[] => [
  ...new Map(trials.toReversed().map((trial) => [trial.key, trial])).values().toArray().reverse(),
];
