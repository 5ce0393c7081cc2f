import { ATR } from 'trading-signals';
import type { Candle } from '../../model/candle.ts';
import { checkLength, type Indicator } from '../indicator.ts';
import { adapt, barOf } from './adapter.ts';

/** Average true range of candles with Wilder's smoothing (Wilder 1978), a double in ticks. */
export function atr(length: number): Indicator<Candle, number> {
  checkLength('atr', length);
  return adapt(() => new ATR(length), barOf);
}
