import { mean } from 'simple-statistics';
import { MillraceError } from '../../model/errors.ts';
import { Random } from '../../platform/random.ts';
import { checkAllReturns, checkOptions, checkReturns, misused, type Returns } from './returns.ts';

/** Number and source of random draws. */
export interface Resampling {
  /** 1000 if absent. */
  readonly draws?: number;
  /** 1 if absent. */
  readonly seed?: number;
  /** Numbers from 0 to 1, 1 excluded, instead of those of the seed. */
  readonly unit?: () => number;
}

export interface Bootstrapping extends Resampling {
  /** Mean length of a block of consecutive periods; the root of their number if absent. */
  readonly blockLength?: number;
}

const unitOf = ({ seed = 1, unit }: Resampling): (() => number) => {
  if (unit !== undefined) return unit;
  const random = new Random(seed);
  return () => random.unit();
};

const DRAWS = 1_000;

function checked({ draws = DRAWS }: Resampling): number {
  if (Number.isSafeInteger(draws) && draws > 0) return draws;
  throw new MillraceError('out-of-range', `draws is ${draws}; give a whole number above 0.`, {
    field: 'draws',
  });
}

/** The probability that a block ends after a period. */
function endOf(count: number, { blockLength = Math.sqrt(count) }: Bootstrapping): number {
  if (blockLength >= 1 && count > 0) return 1 / blockLength;
  throw new MillraceError(
    'out-of-range',
    `blockLength is ${blockLength} of ${count} returns; give a number of periods of 1 or more.`,
    { field: 'blockLength' },
  );
}

/**
 * Indices of one draw of the stationary bootstrap: blocks of random lengths that begin anywhere and
 * wrap from the end to the start (D. N. Politis and J. P. Romano, "The Stationary Bootstrap",
 * 1994). `end` is the probability that a block ends after a period.
 */
export function bootstrapIndices(count: number, end: number, unit: () => number): Uint32Array {
  const places = new Uint32Array(count);
  let at = 0;
  for (let row = 0; row < count; row += 1) {
    at = row === 0 || unit() < end ? Math.floor(unit() * count) : (at + 1) % count;
    places[row] = at;
  }
  return places;
}

/** A statistic of resampled returns, sorted: its quantiles are a confidence interval. */
export function stationaryBootstrap(
  returns: Returns,
  statistic: (returns: number[]) => number,
  options: Bootstrapping = {},
): number[] {
  checkReturns(returns, 'stationaryBootstrap');
  checkOptions(options, 'stationaryBootstrap');
  if (typeof statistic !== 'function') {
    throw misused('stationaryBootstrap takes a function of returns.');
  }
  const end = endOf(returns.length, options);
  const unit = unitOf(options);
  return Array.from({ length: checked(options) }, () =>
    statistic(Array.from(bootstrapIndices(returns.length, end, unit), (index) => returns[index])),
  ).toSorted((a, b) => a - b);
}

/** Probability that chance alone gives a best trial as good as the one found. */
export interface RealityCheck {
  /** White's p, which trials without skill raise. */
  readonly white: number;
  /** Hansen's p for superior predictive ability, which they do not raise: use this one. */
  readonly spa: number;
  /** Its bounds. */
  readonly spaLower: number;
  readonly spaUpper: number;
}

/**
 * Whether the best of trials beats a benchmark beyond chance (H. White, "A Reality Check for Data
 * Snooping", 2000; P. R. Hansen, "A Test for Superior Predictive Ability", 2005). `excess` are the
 * returns of all tried trials less those of the benchmark, in the same periods. Throws
 * `out-of-range`.
 */
export function realityCheck(
  excess: readonly Returns[],
  options: Bootstrapping = {},
): RealityCheck {
  checkAllReturns(excess, 'realityCheck');
  checkOptions(options, 'realityCheck');
  const [{ length: count } = []] = excess;
  if (count < 2 || excess.some((each) => each.length !== count)) {
    throw new MillraceError(
      'out-of-range',
      'A reality check takes trials with returns of the same periods, at least two.',
      { field: 'excess' },
    );
  }
  const end = endOf(count, options);
  const root = Math.sqrt(count);
  const means = excess.map((each) => mean([...each]));
  const deviations = excess.map((each, index) => longRunDeviation(each, means[index], end));
  const threshold = -Math.sqrt(2 * Math.log(Math.log(count)));
  const centres = [
    means.map((each) => Math.max(0, each)),
    means.map((each, index) => ((root * each) / deviations[index] >= threshold ? each : 0)),
    means,
  ];
  const scaled = (value: number, index: number): number =>
    deviations[index] > 0 ? (root * value) / deviations[index] : 0;
  const found = Math.max(...means.map((each) => root * each));
  const studentised = Math.max(0, ...means.map(scaled));
  const counts = { white: 0, spa: [0, 0, 0] };
  const unit = unitOf(options);
  const draws = checked(options);
  for (let draw = 0; draw < draws; draw += 1) {
    const places = bootstrapIndices(count, end, unit);
    const drawn = excess.map((each) => {
      let sum = 0;
      for (const index of places) sum += each[index];
      return sum / count;
    });
    if (Math.max(...drawn.map((each, index) => root * (each - means[index]))) > found) {
      counts.white += 1;
    }
    centres.forEach((centre, which) => {
      const best = Math.max(0, ...drawn.map((each, index) => scaled(each - centre[index], index)));
      if (best > studentised) counts.spa[which] += 1;
    });
  }
  const [spaLower, spa, spaUpper] = counts.spa.map((each) => each / draws);
  return { white: counts.white / draws, spa, spaLower, spaUpper };
}

/**
 * The deviation of a mean over root n, with the autocovariances that blocks of the bootstrap keep.
 */
export function longRunDeviation(returns: Returns, average: number, end: number): number {
  const count = returns.length;
  const autocovariance = (lag: number): number => {
    let sum = 0;
    for (let row = lag; row < count; row += 1) {
      sum += (returns[row] - average) * (returns[row - lag] - average);
    }
    return sum / count;
  };
  let variance = autocovariance(0);
  for (let lag = 1; lag < count; lag += 1) {
    const rest = count - lag;
    const weight = (rest / count) * (1 - end) ** lag + (lag / count) * (1 - end) ** rest;
    variance += 2 * weight * autocovariance(lag);
  }
  return Math.sqrt(Math.max(0, variance));
}

/**
 * Probability that positions unrelated to the returns earn as much: (1 + random orders of the
 * returns in which the positions earn as much) / (1 + draws). Permuting removes the autocorrelation
 * of the returns, and flatters trend followers: run those on permuted markets instead.
 */
export function permutationTest(
  positions: readonly number[],
  returns: Returns,
  options: Resampling = {},
): number {
  checkReturns(positions, 'permutationTest');
  checkReturns(returns, 'permutationTest');
  checkOptions(options, 'permutationTest');
  if (positions.length === 0 || positions.length !== returns.length) {
    throw new MillraceError(
      'out-of-range',
      `A permutation takes a position for each return, and there are ${positions.length} of ${returns.length}.`,
      { field: 'positions' },
    );
  }
  const earned = (drawn: Returns): number =>
    positions.reduce((sum, position, row) => sum + position * drawn[row], 0);
  const found = earned(returns);
  const unit = unitOf(options);
  const draws = checked(options);
  let count = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = [...returns];
    for (let last = drawn.length - 1; last > 0; last -= 1) {
      const other = Math.floor(unit() * (last + 1));
      [drawn[last], drawn[other]] = [drawn[other], drawn[last]];
    }
    // The same terms in another order differ in the last digits.
    if (earned(drawn) >= found - 1e-12 * Math.abs(found)) count += 1;
  }
  return (1 + count) / (1 + draws);
}
