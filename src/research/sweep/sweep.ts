import { overfittingOf } from './assessment.ts';
import { definitionOf } from './define.ts';
import { lossOf, resultOf } from './judge.ts';
import type { SweepOptions, SweepResult } from './options.ts';
import type { Job } from './runner.ts';
import { Runs, throwIfAllInvalid, withOpen, type KeyedTrial, type OpenSweep } from './runs.ts';

/** Sets whose returns a result has; each takes up to 5 kB. */
const RETURNS_KEPT = 1_000;

/**
 * Runs a strategy with many sets of parameters, on all cores. The same options give the same rows,
 * whatever the number of threads. Runs in `store` are not repeated. An error of one run is in its
 * row. Throws MillraceError for an error of the whole sweep, and the reason of the signal.
 */
export const sweep = (options: SweepOptions): Promise<SweepResult> => withOpen(options, search);

async function search(open: OpenSweep): Promise<SweepResult> {
  const { options, space } = open;
  const proposals = space.propose();
  const runs = new Runs(open, proposals.total);
  const trials: KeyedTrial[] = [];
  const next = (): KeyedTrial | undefined => {
    const point = proposals.ask();
    if (point === undefined) return undefined;
    const trial = runs.trial(point, trials.length);
    trials.push(trial);
    return trial;
  };
  const { lag } = proposals;
  if (lag === undefined) {
    while (next() !== undefined);
    throwIfAllInvalid(trials);
  }
  async function* guided(after: number): AsyncIterable<Job> {
    while (trials.length < proposals.total) {
      const due = trials.length - after;
      if (due >= 0) {
        await runs.outcome(trials[due]);
        proposals.report(lossOf(runs.row(trials[due]), options));
      }
      const trial = next();
      if (trial === undefined) return;
      yield* runs.job(trial);
    }
  }
  async function* listed(): AsyncIterable<Job> {
    for (const trial of trials) yield* runs.job(trial);
  }
  await runs.run(() => (lag === undefined ? listed() : guided(lag)));
  throwIfAllInvalid(trials);
  const rows = trials.map((trial) => runs.row(trial));
  const result = resultOf(rows, { reused: runs.progress.reused, options });
  const returns = trials.map((trial) => runs.figures(trial)?.returns);
  const overfitting = overfittingOf(result, returns, runs.tried(trials));
  return {
    ...result,
    definition: definitionOf(open),
    overfitting,
    returns: result.ranked.slice(0, RETURNS_KEPT).map(({ index }) => returns[index] ?? null),
  };
}
