import { from } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { atr, bollinger, derive, ema, macd, rsi, type Candle } from '../../../src/index.ts';
import type { Indicator } from '../../../src/strategy/indicator.ts';
import { Random } from '../../../src/platform/random.ts';
import { candleOf, candlesOf } from '../../kit/candles.ts';

/*
 * The formulas come from trading-signals. Here they are written a second time from their
 * definitions, the slow way: each value from all candles up to it.
 */

const random = new Random(20_240_808);
const CANDLES: readonly Candle[] = Array.from({ length: 200 }, (_, turn) => {
  const [open, close] = [random.integer(9_000, 11_000), random.integer(9_000, 11_000)];
  const high = Math.max(open, close) + random.integer(0, 50);
  const low = Math.min(open, close) - random.integer(0, 50);
  return candleOf(close, { open, high, low }, turn);
});
const CLOSES: readonly number[] = CANDLES.map((candle) => candle.closeTicks);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const emaOf = (values: readonly number[], length: number): number =>
  values.reduce((last, value) => (value * 2 + last * (length - 1)) / (length + 1));

/** Wilder's: the mean of the first `length`, then each new value weighs 1 / length. */
const wilderOf = (values: readonly number[], length: number): number =>
  values
    .slice(length)
    .reduce((last, value) => (last * (length - 1) + value) / length, mean(values.slice(0, length)));

/** Values of an indicator over the candles; checks that it starts when it says. */
function over<V>(indicator: Indicator<Candle, V>, firstAt: number): V[] {
  const seen: { readonly value: V; readonly turn: number }[] = [];
  from(CANDLES)
    .pipe(derive({ value: indicator }))
    .subscribe(({ value, event }) => seen.push({ value, turn: CANDLES.indexOf(event) }));
  expect(seen.map(({ turn }) => turn)).toEqual(
    Array.from({ length: CANDLES.length - firstAt }, (_, i) => firstAt + i),
  );
  return seen.map(({ value }) => value);
}

const closeTo = (actual: readonly number[], expected: (count: number) => number): void => {
  actual.forEach((value, i) => {
    const count = CANDLES.length - actual.length + i + 1;
    expect(Math.abs(value - expected(count))).toBeLessThan(1e-6);
  });
};

describe('indicators of trading-signals', () => {
  test('ema weighs by 2 / (length + 1) from the first value on', () => {
    closeTo(over(ema(12), 11), (count) => emaOf(CLOSES.slice(0, count), 12));
  });

  test("rsi is Wilder's", () => {
    const moves = CLOSES.slice(1).map((close, i) => close - CLOSES[i]);
    closeTo(over(rsi(14), 14), (count) => {
      const until = moves.slice(0, count - 1);
      const gain = wilderOf(
        until.map((move) => Math.max(move, 0)),
        14,
      );
      const loss = wilderOf(
        until.map((move) => Math.max(-move, 0)),
        14,
      );
      return 100 - 100 / (1 + gain / loss);
    });
  });

  test("atr is Wilder's", () => {
    const ranges = CANDLES.map(({ highTicks, lowTicks }, i) => {
      if (i === 0) return highTicks - lowTicks;
      return Math.max(highTicks, CLOSES[i - 1]) - Math.min(lowTicks, CLOSES[i - 1]);
    });
    closeTo(over(atr(10), 9), (count) => wilderOf(ranges.slice(0, count), 10));
  });

  test('macd is warm only when its signal is', () => {
    const lines = CLOSES.map((_, i) => {
      const until = CLOSES.slice(0, i + 1);
      return emaOf(until, 5) - emaOf(until, 8);
    });
    const values = over(macd(5, 8, 4), 10);
    const signal = (count: number): number => emaOf(lines.slice(7, count), 4);
    closeTo(
      values.map((value) => value.macd),
      (count) => lines[count - 1],
    );
    closeTo(
      values.map((value) => value.signal),
      signal,
    );
    closeTo(
      values.map((value) => value.histogram),
      (count) => lines[count - 1] - signal(count),
    );
  });

  test('bollinger spans deviations of the population about the mean', () => {
    const values = over(bollinger(20, 3), 19);
    const spread = (count: number): number => {
      const window = CLOSES.slice(count - 20, count);
      const middle = mean(window);
      return Math.sqrt(mean(window.map((value) => (value - middle) ** 2)));
    };
    const middle = (count: number): number => mean(CLOSES.slice(count - 20, count));
    closeTo(
      values.map((value) => value.middle),
      middle,
    );
    closeTo(
      values.map((value) => value.upper),
      (count) => middle(count) + 3 * spread(count),
    );
    closeTo(
      values.map((value) => value.lower),
      (count) => middle(count) - 3 * spread(count),
    );
    expect(over(bollinger(20), 19)[0].upper).toBeCloseTo(middle(20) + 2 * spread(20), 6);
  });

  test('take any number of any event', () => {
    const double = (value: number): number => value * 2;
    const last = <V>(indicator: Indicator<number, V>): V | undefined =>
      [1, 2, 3, 4].map(indicator()).at(-1);
    expect(last(ema(1, double))).toBe(8);
    expect(last(rsi(2, double))).toBe(100);
    expect(last(bollinger(1, 2, double))).toEqual({ lower: 8, middle: 8, upper: 8 });
    expect(last(macd(1, 2, 1, double))?.histogram).toBe(0);
  });

  test('start fresh with every subscription', () => {
    const source = from(candlesOf([10, 20, 40])).pipe(derive({ value: ema(2) }));
    const first: number[] = [];
    const second: number[] = [];
    source.subscribe(({ value }) => first.push(value));
    source.subscribe(({ value }) => second.push(value));
    expect(first).toHaveLength(2);
    expect(second).toEqual(first);
  });

  test('refuse lengths that are none', () => {
    expect(() => ema(0)).toThrow('ema(0)');
    expect(() => rsi(-1)).toThrow('rsi(-1)');
    expect(() => atr(2.5)).toThrow('atr(2.5)');
    expect(() => macd(12, 0, 9)).toThrow('macd(0)');
    expect(() => bollinger(Number.NaN)).toThrow('bollinger(NaN)');
  });
});
