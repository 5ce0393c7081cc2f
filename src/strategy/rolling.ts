import type { Candle } from '../model/candle.ts';
import { MillraceError } from '../model/errors.ts';
import { checkLength, closeTicks, type Indicator, type Source } from './indicator.ts';
import { extreme } from './indicators/extreme.ts';

/** A number of the last `length` events: by default of the closing ticks of candles. */
export interface RollingNumber {
  (length: number): Indicator<Candle, number>;
  <E>(length: number, of: Source<E>): Indicator<E, number>;
}

/** The last `length` values, oldest first, of closing ticks or of the source `of`. */
export interface RollingValues {
  (length: number): Indicator<Candle, readonly number[]>;
  <E, V>(length: number, of: (event: E) => V): Indicator<E, readonly V[]>;
}

/** A quantile from 0 to 1 of the last `length` values. */
export interface RollingQuantile {
  (length: number, quantile: number): Indicator<Candle, number>;
  <E>(length: number, quantile: number, of: Source<E>): Indicator<E, number>;
}

/** Statistics of a moving window. */
export interface Rolling {
  readonly values: RollingValues;
  readonly min: RollingNumber;
  readonly max: RollingNumber;
  readonly sum: RollingNumber;
  readonly mean: RollingNumber;
  /** Standard deviation of the population. */
  readonly std: RollingNumber;
  readonly median: RollingNumber;
  readonly quantile: RollingQuantile;
  /** Distance of the last value from the mean, in standard deviations; 0 if all are the same. */
  readonly zScore: RollingNumber;
}

/** An indicator of the values in a window, oldest first; it must not keep the window. */
function windowed<V, R>(
  name: string,
  length: number,
  of: (event: Candle) => V,
  read: (window: readonly V[]) => R,
): Indicator<Candle, R> {
  checkLength(`rolling.${name}`, length, of);
  return () => {
    const window: V[] = [];
    return (event) => {
      window.push(of(event));
      if (window.length > length) window.shift();
      return window.length < length ? undefined : read(window);
    };
  };
}

/** Sums the window each time: adding and subtracting would leave a rounding error in doubles. */
const total = (window: readonly number[]): number => window.reduce((sum, value) => sum + value, 0);

const mean = (window: readonly number[]): number => total(window) / window.length;

/** Of the population, in two passes. */
function std(window: readonly number[]): number {
  const middle = mean(window);
  return Math.sqrt(window.reduce((sum, value) => sum + (value - middle) ** 2, 0) / window.length);
}

const over =
  (name: string, read: (window: readonly number[]) => number) =>
  (length: number, of: Source<Candle> = closeTicks): Indicator<Candle, number> =>
    windowed(name, length, of, read);

const extremeOf =
  (name: string, beats: (a: number, b: number) => boolean) =>
  (length: number, of: Source<Candle> = closeTicks): Indicator<Candle, number> =>
    extreme(checkLength(`rolling.${name}`, length, of), of, beats);

/** Interpolated between two values, as numpy and pandas do. */
function quantileOf(window: readonly number[], quantile: number): number {
  const sorted = window.toSorted((a, b) => a - b);
  const index = (sorted.length - 1) * quantile;
  const below = sorted[Math.floor(index)];
  return below + (sorted[Math.ceil(index)] - below) * (index % 1);
}

function quantile(
  length: number,
  share: number,
  of: Source<Candle> = closeTicks,
): Indicator<Candle, number> {
  if (!(share >= 0 && share <= 1)) {
    const sentence = `rolling.quantile: the quantile is ${String(share)} and must be from 0 to 1.`;
    throw new MillraceError('parameter-invalid', sentence, { field: 'quantile' });
  }
  return windowed('quantile', length, of, (window) => quantileOf(window, share));
}

/**
 * Statistics of the last `length` events, for `derive`:
 *
 *     derive({ range: rolling.std(50), calm: rolling.quantile(50, 0.1), closes: rolling.values(3) })
 *
 * `min`, `max`, `values` and, for whole numbers with a sum below 2^53, `sum` are exact. Throws
 * `parameter-invalid`.
 */
export const rolling: Rolling = Object.freeze({
  values: (length: number, of: (event: Candle) => unknown = closeTicks) =>
    windowed('values', length, of, (window) => Object.freeze([...window])),
  min: extremeOf('min', (a, b) => a <= b),
  max: extremeOf('max', (a, b) => a >= b),
  sum: over('sum', total),
  mean: over('mean', mean),
  std: over('std', std),
  median: over('median', (window) => quantileOf(window, 0.5)),
  quantile,
  zScore: over('zScore', (window) => {
    const spread = std(window);
    return spread === 0 ? 0 : (window[window.length - 1] - mean(window)) / spread;
  }),
}) as Rolling;
