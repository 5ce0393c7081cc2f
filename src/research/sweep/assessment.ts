import { sampleVariance } from 'simple-statistics';
import { overfittingProbability } from '../statistics/overfitting.ts';
import type { SharpeMoments } from '../statistics/returns.ts';
import { deflatedSharpe, sharpeMoments } from '../statistics/sharpe.ts';
import type { StoreOverfitting, SweepOverfitting, SweepResult } from './options.ts';
import { alignedReturns, returnsOf, type StoredReturns } from './returns.ts';

/** Blocks of the cross-validation, the most first; fewer for many trials. */
const BLOCKS: readonly (readonly [blocks: number, halves: number])[] = [
  ...([
    [16, 12_870],
    [14, 3_432],
    [12, 924],
    [10, 252],
    [8, 70],
  ] as const),
];
/** Most halves times trials: about a second. */
const WORK_MAX = 5e6;

/**
 * How much of a sweep's best result may be due to the number of trials: all runs count. Absent for
 * fewer than two runs, or if their returns have too few periods in common. `tried` are the returns
 * of every set tried on the same data, if there is a store.
 */
export function overfittingOf(
  { rows, ranked }: Pick<SweepResult, 'rows' | 'ranked'>,
  returns: readonly (StoredReturns | undefined)[],
  tried: readonly (StoredReturns | undefined)[] | undefined,
): SweepOverfitting | null {
  const [best] = ranked;
  const ran = rows.flatMap((row, index) => {
    const own = returns[index];
    return row.state === 'failed' || own === undefined ? [] : [{ index: row.index, own }];
  });
  const aligned = alignedReturns(ran.map(({ own }) => own));
  if (best === undefined || aligned === undefined) return null;
  const { values, stepUs } = aligned;
  const [periods] = values.map(({ length }) => length);
  const moments = values.map(momentsOf);
  const chosen = moments[ran.findIndex(({ index }) => index === best.index)];
  const variance = varianceOf(moments);
  const trials = ran.length;
  const blocks = BLOCKS.find(
    ([count, halves]) => periods >= 2 * count && halves * trials <= WORK_MAX,
  )?.[0];
  const tested =
    blocks === undefined || trials < 2 ? undefined : overfittingProbability(values, blocks);
  return {
    trials,
    periods,
    periodUs: stepUs,
    deflatedSharpe: chosen === undefined ? null : deflatedSharpe(chosen, { trials, variance }),
    inStore: tried === undefined ? null : inStore(tried, { trials, stepUs, chosen }),
    probability: tested?.probability ?? null,
    blocks: tested?.blocks ?? null,
  };
}

const varianceOf = (moments: readonly (SharpeMoments | undefined)[]): number =>
  moments.length < 2 ? 0 : sampleVariance(moments.map((each) => each?.sharpe ?? 0));

/**
 * A sweep near the best of an earlier one has similar ratios, so the variance is that of all sets.
 */
function inStore(
  tried: readonly (StoredReturns | undefined)[],
  own: {
    readonly trials: number;
    readonly stepUs: number;
    readonly chosen: SharpeMoments | undefined;
  },
): StoreOverfitting {
  const trials = Math.max(own.trials, tried.length);
  // Ratios of periods of another length are not comparable; as settings of a store are the same,
  // they are rare.
  const variance = varianceOf(
    tried.flatMap((each) =>
      each?.stepUs === own.stepUs ? [momentsOf(returnsOf(each).values)] : [],
    ),
  );
  const { chosen } = own;
  return {
    trials,
    deflatedSharpe: chosen === undefined ? null : deflatedSharpe(chosen, { trials, variance }),
  };
}

/** None if nothing moved. */
function momentsOf(returns: Float32Array): SharpeMoments | undefined {
  return returns.length > 1 && returns.some((each) => each !== returns[0])
    ? sharpeMoments(returns)
    : undefined;
}
