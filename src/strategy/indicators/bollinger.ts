import { BollingerBands } from 'trading-signals';
import type { Candle } from '../../model/candle.ts';
import { MillraceError } from '../../model/errors.ts';
import { checkLength, closeTicks, type Indicator, type Source } from '../indicator.ts';
import { adapt } from './adapter.ts';

/** Doubles in ticks. */
export interface BollingerValue {
  readonly lower: number;
  readonly middle: number;
  readonly upper: number;
}

/**
 * Bollinger bands: the mean of `length` values and `deviations` standard deviations (of the
 * population) to each side. By default of the closing ticks of candles.
 */
export function bollinger(length: number, deviations?: number): Indicator<Candle, BollingerValue>;
export function bollinger<E>(
  length: number,
  deviations: number,
  of: Source<E>,
): Indicator<E, BollingerValue>;
export function bollinger(
  length: number,
  deviations = 2,
  of: Source<Candle> = closeTicks,
): Indicator<Candle, BollingerValue> {
  checkLength('bollinger', length, of);
  if (!Number.isFinite(deviations)) {
    const sentence = 'bollinger: the deviations are a finite number, such as 2.';
    throw new MillraceError('parameter-invalid', sentence, { field: 'deviations' });
  }
  return adapt(() => new BollingerBands(length, deviations), of);
}
