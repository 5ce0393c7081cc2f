import type { Candle } from '../../model/candle.ts';
import type { Ticks } from '../../model/units.ts';
import { checkLength, highTicks, type Indicator, type Source } from '../indicator.ts';
import { extreme } from './extreme.ts';

/** The highest of the last `length` values, by default of the high of candles in ticks; exact. */
export function highest(length: number): Indicator<Candle, Ticks>;
export function highest<E, V extends number>(length: number, of: Source<E, V>): Indicator<E, V>;
export function highest(
  length: number,
  of: Source<Candle, Ticks> = highTicks,
): Indicator<Candle, Ticks> {
  return extreme(checkLength('highest', length, of), of, (a, b) => a >= b);
}
