import { z } from 'zod';
import { warmUpOf } from '../../backtest/plan.ts';
import { spanUs } from '../../config/fields.ts';
import { MillraceError } from '../../model/errors.ts';
import { isoTime, micros, parseIsoTime, parseSpanUs } from '../../platform/time.ts';
import { definitionOf } from '../sweep/define.ts';
import type { SweepDefinition, WalkForwardWindows } from '../sweep/definition.ts';
import { lossOf, resultOf } from '../sweep/judge.ts';
import type { Job } from '../sweep/runner.ts';
import {
  Runs,
  throwIfAllInvalid,
  withOpen,
  type KeyedTrial,
  type OpenSweep,
} from '../sweep/runs.ts';
import { efficiencyOf, rankIn, stabilityOf, stitched } from './measures.ts';
import type {
  FoldWindow,
  WalkForwardFold,
  WalkForwardOptions,
  WalkForwardResult,
} from './options.ts';
import { windowsOf, type Window, type Windows } from './windows.ts';

/**
 * Chooses the best set of parameters in one window of the time and trades it in the next, fold
 * after fold. Every set runs in both, so that the rank of the chosen one among all is known. A
 * strategy warms up before its window. The runs are those of `backtest` with `from` and `till`, and
 * are kept in `store` as those of a sweep. Throws the errors of `sweep`, and `out-of-range` for
 * windows that do not fit.
 */
export async function walkForward(options: WalkForwardOptions): Promise<WalkForwardResult> {
  const cut = cutOf(options);
  const { train: _, test: __, step: ___, gap: ____, anchored: _____, ...sweep } = options;
  return withOpen({ ...sweep }, (open) =>
    walk(open, windowsOf(timeOf(open), cut), definitionOf(open, cut)),
  );
}

const SPANS = z.looseObject({
  train: spanUs,
  test: spanUs,
  step: spanUs.optional(),
  gap: spanUs.optional(),
});

function cutOf(options: WalkForwardOptions): WalkForwardWindows {
  const read = SPANS.safeParse(options);
  if (!read.success) {
    const [{ path, message }] = read.error.issues;
    throw new MillraceError('usage', `${String(path[0] ?? 'train')}: ${message}.`, {
      field: String(path[0] ?? 'train'),
    });
  }
  const { train: trainUs, test: testUs, step: stepUs = testUs, gap: gapUs = 0 } = read.data;
  return { trainUs, testUs, stepUs, gapUs, isAnchored: options.anchored === true };
}

/** Time range of settings and recordings, from the end of the warm-up. */
function timeOf(open: OpenSweep): Window {
  const {
    settings,
    opened: [series],
  } = open;
  const filled = series.map(({ summary }) => summary).filter(({ rows }) => rows > 0);
  const time = (name: string): number | undefined => {
    const given = settings[name];
    return typeof given === 'string' ? parseIsoTime(given) : undefined;
  };
  const first = Math.min(...filled.map(({ firstAt }) => firstAt));
  const last = Math.max(...filled.map(({ lastAt }) => lastAt));
  return {
    fromUs: Math.max(first + warmUpIn(open), time('from') ?? first),
    tillUs: Math.min(last + 1, time('till') ?? last + 1),
  };
}

/**
 * The longest warm-up at both ends of the space: a set between them with a longer one trades later.
 */
function warmUpIn({ settings, space, loaded }: OpenSweep): number {
  const { warmUp } = settings;
  const given = typeof warmUp === 'string' ? parseSpanUs(warmUp) : undefined;
  if (given !== undefined) return given;
  const needed = space.extremes.map((extreme) => {
    const { parsed, job } = space.trialAt(extreme, 0);
    return parsed === undefined ? 0 : warmUpOf(loaded[job.strategy].strategy, parsed);
  });
  return Math.max(0, ...needed);
}

/** Trials of a fold, set by set. */
interface FoldTrials {
  readonly train: KeyedTrial[];
  readonly test: KeyedTrial[];
}

async function walk(
  open: OpenSweep,
  { folds, leftUs }: Windows,
  definition: SweepDefinition,
): Promise<WalkForwardResult> {
  const { space, options } = open;
  const runs = new Runs(open, 2 * folds.length * space.propose().total);
  const trials: FoldTrials[] = folds.map(() => ({ train: [], test: [] }));
  let index = 0;
  async function* jobsOf(fold: number): AsyncIterable<Job> {
    const { train, test } = trials[fold];
    const proposals = space.propose();
    const { lag, total } = proposals;
    while (train.length < total) {
      const due = train.length - (lag ?? Number.POSITIVE_INFINITY);
      if (due >= 0) {
        await runs.outcome(train[due]);
        proposals.report(lossOf(runs.row(train[due]), options));
      }
      const point = proposals.ask();
      if (point === undefined) return;
      for (const [part, into] of [
        ['train', train],
        ['test', test],
      ] as const) {
        const span = textOf(folds[fold][part]);
        const trial = runs.trial(point, index, { fold, part }, span);
        index += 1;
        into.push(trial);
        yield* runs.job(trial);
      }
    }
  }
  async function* jobs(): AsyncIterable<Job> {
    for (const fold of folds.keys()) {
      yield* jobsOf(fold);
      throwIfAllInvalid(trials[fold].train);
    }
  }
  await runs.run(jobs);
  return resultOfFolds(open, { definition, runs, trials, folds, leftUs });
}

const textOf = ({ fromUs, tillUs }: Window): FoldWindow => ({
  from: isoTime(micros(fromUs)),
  till: isoTime(micros(tillUs)),
});

interface Walked extends Windows {
  readonly definition: SweepDefinition;
  readonly runs: Runs;
  readonly trials: readonly FoldTrials[];
}

function resultOfFolds({ options }: OpenSweep, walked: Walked): WalkForwardResult {
  const { definition, runs, trials, folds, leftUs } = walked;
  const isMinimized = options.direction === 'minimize';
  const made = folds.map(({ train, test }, fold) => {
    const rowsOf = (part: readonly KeyedTrial[]) =>
      part.map((trial, set) => ({ ...runs.row(trial), index: set }));
    const trained = rowsOf(trials[fold].train);
    const tested = rowsOf(trials[fold].test);
    const [chosen = null] = resultOf(trained, { reused: 0, options }).ranked;
    const outcome = chosen === null ? null : tested[chosen.index];
    const spans = { trainUs: train.tillUs - train.fromUs, testUs: test.tillUs - test.fromUs };
    const row: WalkForwardFold = {
      fold,
      train: textOf(train),
      test: textOf(test),
      trained,
      tested,
      chosen,
      outcome,
      ...rankIn(tested, outcome, isMinimized),
      efficiency: efficiencyOf([{ chosen, outcome, ...spans }]),
    };
    const returns = chosen && runs.figures(trials[fold].test[chosen.index])?.returns;
    return { row, spans, returns: returns ?? undefined };
  });
  const rows = made.map(({ row }) => row);
  const all = rows.flatMap(({ trained, tested }) => [...trained, ...tested]);
  return {
    definition,
    folds: rows,
    stitched: stitched(
      made.map(({ row: { fold, outcome }, returns }) => ({
        fold,
        outcome,
        returns,
        window: folds[fold].test,
      })),
    ),
    stability: stabilityOf(
      rows.flatMap(({ chosen }) => (chosen === null ? [] : [chosen])),
      rows.flatMap(({ trained }) => trained),
    ),
    efficiency: efficiencyOf(made.map(({ row, spans }) => ({ ...row, ...spans }))),
    reused: runs.progress.reused,
    failed: all.filter(({ state }) => state === 'failed').length,
    leftUs,
  };
}
