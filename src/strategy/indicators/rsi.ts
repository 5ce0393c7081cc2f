import { RSI } from 'trading-signals';
import type { Candle } from '../../model/candle.ts';
import { checkLength, closeTicks, type Indicator, type Source } from '../indicator.ts';
import { adapt } from './adapter.ts';

/**
 * Relative strength index (Wilder 1978), 0 to 100, warm after `length` + 1 values; 100 while there
 * was no loss. By default of the closing ticks of candles.
 */
export function rsi(length: number): Indicator<Candle, number>;
export function rsi<E>(length: number, of: Source<E>): Indicator<E, number>;
export function rsi(length: number, of: Source<Candle> = closeTicks): Indicator<Candle, number> {
  checkLength('rsi', length, of);
  return adapt(() => new RSI(length), of);
}
