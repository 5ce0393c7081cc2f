import { Amount } from '../../model/amount.ts';
import { Decimal } from '../../model/decimal.ts';

/** Significant digits of quotients of money, rounded half to even. */
const QUOTIENT_DIGITS = 20;

/** A quotient of exact amounts, rounded as `docs/metrics.md` defines. */
export const quotient = (a: Amount, b: Amount | number): Decimal =>
  a
    .toDecimal()
    .div(typeof b === 'number' ? b : b.toDecimal())
    .toSignificantDigits(QUOTIENT_DIGITS, Decimal.ROUND_HALF_EVEN);

/**
 * The quotient as text. A quotient of whole units, such as the price of one fill, needs no decimal.
 */
export function quotientText(a: Amount, b: Amount): string {
  const exact = wholeQuotient(a, b);
  return exact === undefined ? quotient(a, b).toFixed() : exact.toFixed();
}

/** The quotient if the units of one are a multiple of those of the other; else `undefined`. */
function wholeQuotient(a: Amount, b: Amount): Amount | undefined {
  if (typeof a.units !== 'number' || typeof b.units !== 'number') return undefined;
  const places = a.places - b.places;
  const units = a.units / b.units;
  if (places < 0 || !Number.isSafeInteger(units) || a.units % b.units !== 0) return undefined;
  return Amount.units(units, places);
}
