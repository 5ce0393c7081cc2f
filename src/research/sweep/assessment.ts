import { sampleVariance } from 'simple-statistics';
import { overfittingProbability } from '../statistics/overfitting.ts';
import { deflatedSharpe, sharpeMoments, type SharpeMoments } from '../statistics/sharpe.ts';
import type { SweepOverfitting, SweepResult } from './options.ts';
import { alignedReturns, type StoredReturns } from './returns.ts';

/** Blocks of the cross-validation, the most first; fewer where there are many trials. */
const BLOCKS: readonly (readonly [blocks: number, halves: number])[] = [
  ...([
    [16, 12_870],
    [14, 3_432],
    [12, 924],
    [10, 252],
    [8, 70],
  ] as const),
];
/** Halves times trials: a second or so. */
const WORK_MAX = 5e6;

/**
 * How far the best of a sweep may be owed to having tried many: all that ran go in. Absent where fewer than
 * two ran, or where their returns have too few periods in common.
 */
export function overfittingOf(
  { rows, ranked }: Pick<SweepResult, 'rows' | 'ranked'>,
  returns: readonly (StoredReturns | undefined)[],
): SweepOverfitting | null {
  const [best] = ranked;
  const ran = rows.flatMap((row, place) => {
    const own = returns[place];
    return row.state === 'failed' || own === undefined ? [] : [{ index: row.index, own }];
  });
  const aligned = alignedReturns(ran.map(({ own }) => own));
  if (best === undefined || aligned === undefined) return null;
  const { values, stepUs } = aligned;
  const [periods] = values.map(({ length }) => length);
  const moments = values.map(momentsOf);
  const chosen = moments[ran.findIndex(({ index }) => index === best.index)];
  const ratios = moments.map((each) => each?.sharpe ?? 0);
  const variance = ratios.length < 2 ? 0 : sampleVariance(ratios);
  const trials = ran.length;
  const blocks = BLOCKS.find(
    ([count, halves]) => periods >= 2 * count && halves * trials <= WORK_MAX,
  )?.[0];
  const tested =
    blocks === undefined || trials < 2 ? undefined : overfittingProbability(values, blocks);
  return {
    ...{ trials, periods, periodUs: stepUs },
    deflatedSharpe: chosen === undefined ? null : deflatedSharpe(chosen, { trials, variance }),
    probability: tested?.probability ?? null,
    blocks: tested?.blocks ?? null,
  };
}

/** None where nothing moved. */
function momentsOf(returns: Float32Array): SharpeMoments | undefined {
  return returns.length > 1 && returns.some((each) => each !== returns[0])
    ? sharpeMoments(returns)
    : undefined;
}
