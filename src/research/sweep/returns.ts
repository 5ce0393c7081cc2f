import type { BacktestResult } from '../../backtest/result.ts';
import { sampleNumbers } from '../../backtest/tables/equity-series.ts';
import { US_PER_DAY, US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';

/** Most periods of the grid; for longer runs a period is several samples. */
const PERIODS_MAX = 1_000;

/** Each divides the next, so that runs of different length have one grid. */
const STEPS: readonly number[] = [
  ...[1, 5, 10, 30].map((seconds) => seconds * US_PER_SECOND),
  ...[1, 5, 10, 30].map((minutes) => minutes * US_PER_MINUTE),
  ...[1, 4, 12].map((hours) => hours * US_PER_HOUR),
  US_PER_DAY,
];

/**
 * Returns of a run by periods of equal length, for threads and a store. Periods end at whole
 * multiples of their length since 1970, so that those of all runs of a sweep are the same.
 */
export interface StoredReturns {
  /** Start of the first period, in microseconds since 1970. */
  readonly fromUs: number;
  readonly stepUs: number;
  /** Return of the equity before the first period. */
  readonly head: number;
  /** 32-bit floats, the lowest byte first, as base64. */
  readonly data: string;
}

/** Returns of a run as numbers. */
export interface RunReturns {
  readonly fromUs: number;
  readonly stepUs: number;
  readonly values: Float32Array;
}

/** Returns of a run, of at most `periodsMax` periods. None with fewer than two samples. */
export function storedReturns(
  { series, plan }: Pick<BacktestResult, 'series' | 'plan'>,
  periodsMax = PERIODS_MAX,
): StoredReturns | undefined {
  const { at, equity } = sampleNumbers(series);
  if (at.length < 2) return undefined;
  const stepUs = gridStep(at[at.length - 1] - at[0], plan.sampleUs, periodsMax);
  const first = Math.ceil(at[0] / stepUs);
  const last = Math.floor(at[at.length - 1] / stepUs);
  if (last <= first) return undefined;
  const values = new Float32Array(last - first);
  let row = 0;
  let before = Number.NaN;
  let start = Number.NaN;
  for (let period = first; period <= last; period += 1) {
    while (row + 1 < at.length && at[row + 1] <= period * stepUs) row += 1;
    const now = equity[row];
    if (period === first) start = now;
    else values[period - first - 1] = before > 0 ? now / before - 1 : 0;
    before = now;
  }
  return {
    fromUs: first * stepUs,
    stepUs,
    head: start > 0 && equity[0] > 0 ? start / equity[0] - 1 : 0,
    data: Buffer.from(values.buffer).toString('base64'),
  };
}

/** The shortest sufficient step; a whole number of samples if there is none. */
function gridStep(spanUs: number, sampleUs: number, periodsMax: number): number {
  const leastUs = spanUs / periodsMax;
  return (
    STEPS.find((step) => step >= leastUs && step % sampleUs === 0) ??
    sampleUs * Math.max(1, Math.ceil(leastUs / sampleUs))
  );
}

export function returnsOf({ fromUs, stepUs, data }: StoredReturns): RunReturns {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));
  return { fromUs, stepUs, values: new Float32Array(bytes.buffer) };
}

/** Returns of runs in their common periods. */
export interface AlignedReturns {
  readonly fromUs: number;
  readonly stepUs: number;
  /** Of each run, in the given order. */
  readonly values: readonly Float32Array[];
}

/** Aligns the returns of runs to one grid; none without a common period. */
export function alignedReturns(runs: readonly StoredReturns[]): AlignedReturns | undefined {
  if (runs.length === 0) return undefined;
  const stepUs = Math.max(...runs.map((run) => run.stepUs));
  if (runs.some((run) => stepUs % run.stepUs !== 0)) return undefined;
  const read = runs.map(returnsOf);
  const firsts = read.map(({ fromUs }) => Math.ceil(fromUs / stepUs));
  const ends = read.map((run) =>
    Math.floor((run.fromUs + run.values.length * run.stepUs) / stepUs),
  );
  const first = Math.max(...firsts);
  const count = Math.min(...ends) - first;
  if (count < 1) return undefined;
  const values = read.map((run) => {
    const per = stepUs / run.stepUs;
    const offset = (first * stepUs - run.fromUs) / run.stepUs;
    if (per === 1) return run.values.slice(offset, offset + count);
    return Float32Array.from({ length: count }, (_, period) => {
      let growth = 1;
      for (let at = 0; at < per; at += 1) growth *= 1 + run.values[offset + period * per + at];
      return growth - 1;
    });
  });
  return { fromUs: first * stepUs, stepUs, values };
}
