import { MillraceError } from '../../model/errors.ts';

/** Returns, one for each period of equal length. */
export type Returns = readonly number[] | Float32Array | Float64Array;

/** Moments of returns for the following statistics, not annualized. */
export interface SharpeMoments {
  readonly count: number;
  /** Mean over the sample deviation, with n − 1. */
  readonly sharpe: number;
  /** With n in the divisors; the kurtosis of a normal distribution is 3. */
  readonly skewness: number;
  readonly kurtosis: number;
}

const isReturns = (given: unknown): given is Returns =>
  (Array.isArray(given) || given instanceof Float64Array || given instanceof Float32Array) &&
  given.every((one) => typeof one === 'number');

/** Throws `usage` for anything but a list of numbers. */
export function checkReturns(given: unknown, name: string): asserts given is Returns {
  if (!isReturns(given)) throw misused(`${name} takes returns: a list of numbers, one a period.`);
}

/** Throws `usage` for anything but a list of such lists. */
export function checkAllReturns(given: unknown, name: string): asserts given is readonly Returns[] {
  if (Array.isArray(given) && given.every(isReturns)) return;
  throw misused(`${name} takes a list of returns, each a list of numbers, one a period.`);
}

/** Throws `usage` for anything but a result of `sharpeMoments`. */
export function checkMoments(given: unknown, name: string): asserts given is SharpeMoments {
  const { count, sharpe, skewness, kurtosis } = Object(given) as Partial<SharpeMoments>;
  if ([count, sharpe, skewness, kurtosis].every((one) => typeof one === 'number')) return;
  throw misused(`${name} takes what sharpeMoments gives: count, sharpe, skewness and kurtosis.`);
}

/** Throws `usage` for options that are not an object. */
export function checkOptions(given: unknown, name: string): void {
  if (typeof given === 'object' && given !== null) return;
  throw misused(`${name} takes its options as an object.`);
}

export const misused = (message: string): MillraceError => new MillraceError('usage', message);
