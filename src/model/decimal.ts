import { Decimal as DecimalJs } from 'decimal.js';
import { MillraceError } from './errors.ts';

/**
 * The one place that configures decimal.js.
 * `parseDecimal` takes numbers below 1e40 with at most 40 decimals, 80 digits each. Every product
 * of four of them (tick size, increment, rate and a count) and long sums of such products fit into
 * 400 significant digits: plus, minus and times never round here. Quotients do, and are only made
 * by functions that name their rounding. Text never has an exponent, JSON included.
 */
export const Decimal = DecimalJs.clone({
  precision: 400,
  rounding: DecimalJs.ROUND_HALF_DOWN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
export type Decimal = DecimalJs;

export const ZERO: Decimal = new Decimal(0);

export const sumOf = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, value) => total.plus(value), ZERO);

const DECIMAL_TEXT = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;
const PLACES_MAX = 40;
const BOUND = new Decimal(10).pow(40);

/**
 * Reads decimal text: digits, an optional fraction and an optional exponent; below 1e40 and with at
 * most 40 decimals when written out. Returns `undefined` for all other text, even if decimal.js
 * accepts it (`0x10`, `Infinity`, `NaN`, white space, `1e999`). Negative zero is zero.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (typeof text !== 'string' || !DECIMAL_TEXT.test(text)) return undefined;
  const value = new Decimal(text);
  if (value.isZero()) return ZERO;
  return value.abs().lessThan(BOUND) && value.decimalPlaces() <= PLACES_MAX ? value : undefined;
}

/** Digits in a word of decimal.js. */
const WORD_DIGITS = 7;
const POWERS_OF_TEN = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * A value in units of 10^-places, `undefined` if that is not a whole number of at most 2^53 - 1. It
 * reads the words of the value without making another decimal, as every request needs it for price
 * and quantity.
 */
export function unitsAt(value: Decimal, places: number): number | undefined {
  // NaN and infinities have no words.
  const words = value.d as readonly number[] | null;
  if (words === null) return undefined;
  let exponent = WORD_DIGITS * Math.floor(value.e / WORD_DIGITS) + places;
  let units = 0;
  for (const word of words) {
    // Beyond the table the power is NaN, and only a zero word has a product.
    const power = POWERS_OF_TEN[Math.abs(exponent)] ?? Number.NaN;
    const part = word === 0 ? 0 : exponent < 0 ? word / power : word * power;
    units += part;
    if (!Number.isInteger(part) || units > Number.MAX_SAFE_INTEGER) return undefined;
    exponent -= WORD_DIGITS;
  }
  return value.s < 0 ? 0 - units : units;
}

/** Reads decimal text; throws `decimal-invalid` for other text. */
export function decimal(text: string, field?: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined) {
    const given = typeof text === 'string' ? `"${text}"` : `a value of type ${typeof text}`;
    throw new MillraceError(
      'decimal-invalid',
      `${field === undefined ? '' : `${field}: `}${given} is not a decimal number such as "61837.63" (at most 40 digits before and 40 after the point).`,
      field === undefined ? {} : { field },
    );
  }
  return value;
}

/**
 * A decimal for a message, with an exponent if plain text would have hundreds of digits (a computed
 * value can be 1e9000000000).
 */
export const brief = (value: Decimal): string =>
  Math.abs(value.e) <= 2 * PLACES_MAX ? value.toFixed() : value.toExponential(6);
