import { Decimal } from '../../model/decimal.ts';

/**
 * How numbers are written on the wire. A price has the decimals of its tick size, a quantity those
 * of its increment, a fee at least twelve; everything else is plain, without exponent and without
 * padding.
 */

/** Decimals of a fee, padded with zeros: `0.005659630200`. */
const FEE_PLACES = 12;
/** The most decimals of a quotient, such as an average price. */
const AVERAGE_PLACES = 12;

const POWERS_OF_TEN = /^0\.0*1$|^1$/;

/** Plain text of a decimal; zero has no sign. */
export const decimalText = (value: Decimal): string => (value.isZero() ? '0' : value.toFixed());

/** Padded to the decimals of a grid step; never rounded, an off-grid value keeps its digits. */
export function atScale(value: Decimal, step: Decimal): string {
  const places = Math.max(step.decimalPlaces(), value.decimalPlaces());
  return value.isZero() ? new Decimal(0).toFixed(places) : value.toFixed(places);
}

/**
 * Writes a whole number of steps, ticks or lots, at the scale of the step. Made once for each instrument;
 * for a power of ten only the point has to be placed.
 */
export function gridText(step: Decimal): (count: number) => string {
  const places = step.decimalPlaces();
  if (!POWERS_OF_TEN.test(step.toFixed())) {
    return (count) => atScale(step.times(count), step);
  }
  return (count) => {
    const digits = String(Math.abs(count));
    const sign = count < 0 ? '-' : '';
    if (places === 0) return sign + digits;
    const padded = digits.length > places ? digits : digits.padStart(places + 1, '0');
    return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
  };
}

/** A fee with at least twelve decimals: the shown fees add up to the change of the balances. */
export const feeText = (fee: Decimal): string =>
  (fee.isZero() ? new Decimal(0) : fee).toFixed(Math.max(FEE_PLACES, fee.decimalPlaces()));

/**
 * An average price: value ÷ quantity, rounded half down to twelve decimals, at least at the scale of the
 * tick; `0` if nothing was executed.
 */
export function averageText(value: Decimal, quantity: Decimal, tickSize: Decimal): string {
  if (quantity.isZero()) return '0';
  const places = Math.max(AVERAGE_PLACES, tickSize.decimalPlaces());
  const average = value.div(quantity).toDecimalPlaces(places, Decimal.ROUND_HALF_DOWN);
  return atScale(average, tickSize);
}
