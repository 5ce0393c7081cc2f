import { Decimal as DecimalJs } from 'decimal.js';
import { MillraceError } from './errors.ts';

/**
 * The one place that configures decimal.js.
 *
 * 160 significant digits hold every sum and product of the numbers that `parseDecimal` takes, so
 * plus, minus and times are exact here; quotients are rounded and therefore only made by functions
 * that name their rounding. Text never has an exponent, JSON included.
 */
export const Decimal = DecimalJs.clone({
  precision: 160,
  rounding: DecimalJs.ROUND_HALF_DOWN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
export type Decimal = DecimalJs;

export const ZERO: Decimal = new Decimal(0);

const DECIMAL_TEXT = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;
const EXPONENT_MAX = 40;

/**
 * Reads decimal text: digits, an optional fraction and an optional exponent within ±40.
 * Gives `undefined` for everything else that decimal.js would take (`0x10`, `Infinity`, `NaN`,
 * white space). Negative zero is zero.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (!DECIMAL_TEXT.test(text)) return undefined;
  const mark = text.search(/[eE]/);
  if (mark >= 0 && Math.abs(Number(text.slice(mark + 1))) > EXPONENT_MAX) return undefined;
  const value = new Decimal(text);
  return value.isZero() ? ZERO : value;
}

/** Reads decimal text; throws `decimal-invalid` when it is none. */
export function decimal(text: string, field?: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined) {
    throw new MillraceError(
      'decimal-invalid',
      `${field === undefined ? '' : `${field}: `}"${text}" is not a decimal number such as "61837.63".`,
      field === undefined ? {} : { field },
    );
  }
  return value;
}
