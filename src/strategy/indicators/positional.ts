import type { Candle } from '../../model/candle.ts';
import type { Indicator, Source } from '../indicator.ts';
import { ta } from '../ta.ts';
import { closeOf } from './row.ts';

/** Average true range of candles with Wilder's smoothing (Wilder 1978), a double in ticks. */
export const atr = (length: number): Indicator<Candle, number> => ta.atr({ length });

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
  of: Source<Candle> = closeOf,
): Indicator<Candle, BollingerValue> {
  return ta.bollingerBands({ length, deviations, of });
}

/**
 * Exponential moving average with weight 2 / (length + 1), starting at the first value and warm
 * after `length` values; by default of the closing ticks of candles. A double, in ticks.
 */
export function ema(length: number): Indicator<Candle, number>;
export function ema<E>(length: number, of: Source<E>): Indicator<E, number>;
export function ema(length: number, of: Source<Candle> = closeOf): Indicator<Candle, number> {
  return ta.ema({ length, of });
}

/** Doubles in ticks. */
export interface MacdValue {
  /** Fast average less slow average. */
  readonly macd: number;
  /** Average of `macd`. */
  readonly signal: number;
  /** `macd` less `signal`. */
  readonly histogram: number;
}

/**
 * Moving average convergence and divergence (Appel), of exponential averages; warm when its
 * signal is, after slow + signal − 1 values. By default of the closing ticks of candles.
 */
export function macd(fast: number, slow: number, signal: number): Indicator<Candle, MacdValue>;
export function macd<E>(
  fast: number,
  slow: number,
  signal: number,
  of: Source<E>,
): Indicator<E, MacdValue>;
export function macd(
  fast: number,
  slow: number,
  signal: number,
  of: Source<Candle> = closeOf,
): Indicator<Candle, MacdValue> {
  return ta.macd({ fast, slow, signal, of });
}

/**
 * Relative strength index (Wilder 1978), 0 to 100, warm after `length` + 1 values; 100 while there
 * was no loss. By default of the closing ticks of candles.
 */
export function rsi(length: number): Indicator<Candle, number>;
export function rsi<E>(length: number, of: Source<E>): Indicator<E, number>;
export function rsi(length: number, of: Source<Candle> = closeOf): Indicator<Candle, number> {
  return ta.rsi({ length, of });
}
