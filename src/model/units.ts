import { MillraceError } from './errors.ts';

/** A price as a whole number of tick sizes. */
export type Ticks = number & { readonly __ticks: unique symbol };
/** A quantity as a whole number of quantity increments. */
export type Lots = number & { readonly __lots: unique symbol };

/** Rounding to a grid; deliberately without a default. */
export const ROUNDINGS = ['down', 'up', 'near'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

/** Of `near`: ties toward zero. */
const ROUND = {
  down: Math.floor,
  up: Math.ceil,
  near: (value: number): number => Math.sign(value) * Math.ceil(Math.abs(value) - 0.5),
} as const satisfies Readonly<Record<Rounding, (value: number) => number>>;

/**
 * Marks a whole number as ticks, or rounds a computed one to the tick below, above or nearest:
 * `ticks(bands.lower, 'down')`. Throws `out-of-range` for fractions without a rounding, and beyond
 * 2^53.
 */
export const ticks = (value: number, rounding?: Rounding): Ticks =>
  whole(rounded(value, rounding), 'ticks') as Ticks;

/** Marks a whole number as lots, or rounds a computed one, as `ticks` does. */
export const lots = (value: number, rounding?: Rounding): Lots =>
  whole(rounded(value, rounding), 'lots') as Lots;

/** Throws `out-of-range` for an unknown rounding. */
function rounded(value: number, rounding: Rounding | undefined): number {
  if (rounding === undefined) return value;
  if (Object.hasOwn(ROUND, rounding)) return ROUND[rounding](value);
  const sentence = `The rounding is one of ${ROUNDINGS.join(', ')}, such as ticks(price, 'down').`;
  throw new MillraceError('out-of-range', sentence, { field: 'rounding' });
}

/** Adding zero turns negative zero into zero. */
export function whole(value: number, unit: 'ticks' | 'lots'): number {
  if (Number.isSafeInteger(value)) return value + 0;
  throw new MillraceError(
    'out-of-range',
    `${typeof value === 'number' ? value : `A value of type ${typeof value}`} is not a whole number of ${unit} within ±${Number.MAX_SAFE_INTEGER}.`,
    { field: unit },
  );
}

/** Product of two safe integers: exact as a number below 2^53, a BigInt beyond. */
export function product(a: number, b: number): number | bigint {
  const value = a * b;
  return Number.isSafeInteger(value) ? value + 0 : BigInt(a) * BigInt(b);
}
