import { MillraceError } from './errors.ts';

/** A price as a whole number of tick sizes. */
export type Ticks = number & { readonly __ticks: unique symbol };
/** A quantity as a whole number of quantity increments. */
export type Lots = number & { readonly __lots: unique symbol };

/** Names a whole number as ticks; throws `out-of-range` for fractions and beyond 2^53. */
export function ticks(value: number): Ticks {
  if (!Number.isSafeInteger(value)) throw outOfRange(value, 'ticks');
  return value as Ticks;
}

/** Names a whole number as lots; throws `out-of-range` for fractions and beyond 2^53. */
export function lots(value: number): Lots {
  if (!Number.isSafeInteger(value)) throw outOfRange(value, 'lots');
  return value as Lots;
}

const outOfRange = (value: number, unit: string): MillraceError =>
  new MillraceError('out-of-range', `${value} is not a whole number of ${unit} within ±2^53.`);

/**
 * The guard for products of whole numbers: exact as a number while below 2^53, a BigInt beyond.
 * Both factors are safe integers.
 */
export function product(a: number, b: number): number | bigint {
  const value = a * b;
  return Number.isSafeInteger(value) ? value : BigInt(a) * BigInt(b);
}
