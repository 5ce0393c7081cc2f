import { EMA, MACD } from 'trading-signals';
import type { Candle } from '../../model/candle.ts';
import { checkLength, closeTicks, type Indicator, type Source } from '../indicator.ts';
import { adapt } from './adapter.ts';

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
  of: Source<Candle> = closeTicks,
): Indicator<Candle, MacdValue> {
  for (const length of [fast, slow, signal]) checkLength('macd', length, of);
  return adapt(() => {
    const line = new EMA(signal);
    const calculator = new MACD(new EMA(fast), new EMA(slow), line);
    return {
      get isStable() {
        return line.isStable;
      },
      add: (value: number) => calculator.add(value),
    };
  }, of);
}
