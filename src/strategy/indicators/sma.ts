import type { Candle } from '../../model/candle.ts';
import { MillraceError } from '../../model/errors.ts';
import { checkLength, closeTicks, type Indicator, type Source } from '../indicator.ts';

/**
 * Simple moving average of whole numbers, by default of the closing ticks of candles: an exact sum
 * and one division. Throws `out-of-range` for values that are not whole and for sums beyond 2^53.
 *
 * Comparing two such averages with `<`, `>` or `===` decides ties as exact arithmetic would. Let
 * them be a/m and b/n. Division is correctly rounded, so equal rationals give the same double, and
 * unequal ones never change their order. They could only be rounded to the same double if they were
 * at most one unit in the last place apart, which is at most 2^-52 of their size; but unequal ones
 * differ by at least 1/(m·n). So while average · m · n < 2^52 they stay apart: with lengths of 200
 * up to 10^11 ticks. Beyond that, averages that differ by less than 1 in 2^52 can look tied.
 */
export function sma(length: number): Indicator<Candle, number>;
export function sma<E>(length: number, of: Source<E>): Indicator<E, number>;
export function sma(length: number, of: Source<Candle> = closeTicks): Indicator<Candle, number> {
  checkLength('sma', length, of);
  return () => {
    const values = new Float64Array(length);
    let seen = 0;
    let sum = 0;
    return (event) => {
      const value = of(event);
      const slot = seen % length;
      const rest = sum - values[slot];
      sum = rest + value;
      if (![value, rest, sum].every(Number.isSafeInteger)) {
        throw new MillraceError(
          'out-of-range',
          `sma(${length}) cannot add ${value} exactly; give it whole ticks or lots whose sum stays below 2^53.`,
        );
      }
      values[slot] = value;
      seen += 1;
      return seen < length ? undefined : sum / length;
    };
  };
}
