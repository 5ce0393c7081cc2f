import type { Candle } from '../../model/candle.ts';
import type { Ticks } from '../../model/units.ts';
import { checkLength, lowTicks, type Indicator, type Source } from '../indicator.ts';
import { extreme } from './extreme.ts';

/** The lowest of the last `length` values, by default of the low of candles in ticks; exact. */
export function lowest(length: number): Indicator<Candle, Ticks>;
export function lowest<E, V extends number>(length: number, of: Source<E, V>): Indicator<E, V>;
export function lowest(
  length: number,
  of: Source<Candle, Ticks> = lowTicks,
): Indicator<Candle, Ticks> {
  return extreme(checkLength('lowest', length, of), of, (a, b) => a <= b);
}
