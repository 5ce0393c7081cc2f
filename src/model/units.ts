import { MillraceError } from './errors.ts';

/** A price as a whole number of tick sizes. */
export type Ticks = number & { readonly __ticks: unique symbol };
/** A quantity as a whole number of quantity increments. */
export type Lots = number & { readonly __lots: unique symbol };

/** Names a whole number as ticks; throws `out-of-range` for fractions and beyond 2^53. */
export const ticks = (value: number): Ticks => whole(value, 'ticks') as Ticks;

/** Names a whole number as lots; throws `out-of-range` for fractions and beyond 2^53. */
export const lots = (value: number): Lots => whole(value, 'lots') as Lots;

/** Adding zero turns negative zero into zero. */
export function whole(value: number, unit: 'ticks' | 'lots'): number {
  if (Number.isSafeInteger(value)) return value + 0;
  throw new MillraceError(
    'out-of-range',
    `${typeof value === 'number' ? value : `A value of type ${typeof value}`} is not a whole number of ${unit} within ±${Number.MAX_SAFE_INTEGER}.`,
    { field: unit },
  );
}

/**
 * The guard for products of whole numbers: exact as a number while below 2^53, a BigInt beyond.
 * Both factors are safe integers.
 */
export function product(a: number, b: number): number | bigint {
  const value = a * b;
  return Number.isSafeInteger(value) ? value + 0 : BigInt(a) * BigInt(b);
}
