import { Decimal } from '../../model/decimal.ts';

/** Decimals of charged, reserved and paid amounts. */
export const AMOUNT_PLACES = 12;
/** Decimals of a rate, as the published funding records show them. */
export const RATE_PLACES = 18;

export type Direction = 'down' | 'up' | 'near';

const MODES = {
  down: Decimal.ROUND_FLOOR,
  up: Decimal.ROUND_CEIL,
  near: Decimal.ROUND_HALF_UP,
} as const;

/**
 * a ÷ b to `places` decimals, by the exact remainder: `down` is toward minus infinity, `up` toward
 * plus infinity, `near` to the nearest, a half away from zero. `b` is positive.
 */
export function quotient(a: Decimal, b: Decimal, places: number, direction: Direction): Decimal {
  const scaled = a.times(new Decimal(10).pow(places));
  const count = wholeQuotient(scaled, b, direction);
  return unsigned(count.div(new Decimal(10).pow(places)));
}

/** a ÷ b as a whole number, rounded by the exact remainder; `b` is positive. */
export function wholeQuotient(a: Decimal, b: Decimal, direction: Direction): Decimal {
  const truncated = a.divToInt(b);
  const rest = a.minus(truncated.times(b));
  if (rest.isZero()) return truncated;
  if (direction === 'down') return rest.isNegative() ? truncated.minus(1) : truncated;
  if (direction === 'up') return rest.isNegative() ? truncated : truncated.plus(1);
  if (rest.abs().times(2).lessThan(b)) return truncated;
  return rest.isNegative() ? truncated.minus(1) : truncated.plus(1);
}

/** An amount rounded to `places` decimals. */
export const rounded = (value: Decimal, places: number, direction: Direction): Decimal =>
  unsigned(value.toDecimalPlaces(places, MODES[direction]));

const unsigned = (value: Decimal): Decimal => (value.isZero() ? value.abs() : value);
