import { Decimal as DecimalJs } from 'decimal.js';
import { MillraceError } from './errors.ts';

/**
 * The one place that configures decimal.js.
 *
 * `parseDecimal` takes numbers below 1e40 with at most 40 decimals, 80 digits each, so that every
 * product of four of them (tick size, increment, rate and a count beside them) and long sums of
 * such products fit into 400 significant digits: plus, minus and times never round here. Quotients
 * do, and are therefore only made by functions that name their rounding. Text never has an
 * exponent, JSON included.
 */
export const Decimal = DecimalJs.clone({
  precision: 400,
  rounding: DecimalJs.ROUND_HALF_DOWN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
export type Decimal = DecimalJs;

export const ZERO: Decimal = new Decimal(0);

const DECIMAL_TEXT = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;
const PLACES_MAX = 40;
const BOUND = new Decimal(10).pow(40);

/**
 * Reads decimal text: digits, an optional fraction and an optional exponent; below 1e40 and with
 * at most 40 decimals when written out. Gives `undefined` for everything else, be it something
 * that decimal.js would take (`0x10`, `Infinity`, `NaN`, white space, `1e999`). Negative zero is
 * zero.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (!DECIMAL_TEXT.test(text)) return undefined;
  const value = new Decimal(text);
  if (value.isZero()) return ZERO;
  return value.abs().lessThan(BOUND) && value.decimalPlaces() <= PLACES_MAX ? value : undefined;
}

/** Reads decimal text; throws `decimal-invalid` when it is none. */
export function decimal(text: string, field?: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined) {
    throw new MillraceError(
      'decimal-invalid',
      `${field === undefined ? '' : `${field}: `}"${text}" is not a decimal number such as "61837.63" (at most 40 digits before and 40 after the point).`,
      field === undefined ? {} : { field },
    );
  }
  return value;
}

/**
 * A decimal for a message: plain as everywhere, but with an exponent where plain text would run to
 * hundreds of digits (a computed value can be 1e9000000000).
 */
export const brief = (value: Decimal): string =>
  Math.abs(value.e) <= 2 * PLACES_MAX ? value.toFixed() : value.toExponential(6);
