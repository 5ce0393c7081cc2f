import { EMA } from 'trading-signals';
import type { Candle } from '../../model/candle.ts';
import { checkLength, closeTicks, type Indicator, type Source } from '../indicator.ts';
import { adapt } from './adapter.ts';

/**
 * Exponential moving average with weight 2 / (length + 1), begun at the first value and warm after
 * `length` values; by default of the closing ticks of candles. A double, in ticks.
 */
export function ema(length: number): Indicator<Candle, number>;
export function ema<E>(length: number, of: Source<E>): Indicator<E, number>;
export function ema(length: number, of: Source<Candle> = closeTicks): Indicator<Candle, number> {
  checkLength('ema', length, of);
  return adapt(() => new EMA(length), of);
}
