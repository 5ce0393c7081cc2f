import fc from 'fast-check';
import { from, type Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  barsSince,
  derive,
  highestSince,
  lastValues,
  lowestSince,
  rolling,
  ta,
  values,
  type Candle,
  type Indicator,
} from '../../src/index.ts';
import { candleOf, candlesOf } from '../kit/candles.ts';
import { deviation, mean, total } from './indicators/series.ts';

const self = (value: number): number => value;

/** By counting, as the definition says: the part of the way between two ranks. */
function quantileOf(window: readonly number[], share: number): number {
  const rank = (n: number): number => window.toSorted((a, b) => a - b)[n];
  const index = (window.length - 1) * share;
  const [below, rest] = [Math.trunc(index), index - Math.trunc(index)];
  return rest === 0 ? rank(below) : (1 - rest) * rank(below) + rest * rank(below + 1);
}

const NAIVE: Readonly<Record<string, (window: readonly number[]) => number>> = {
  min: (window) => Math.min(...window),
  max: (window) => Math.max(...window),
  sum: total,
  mean,
  std: deviation,
  median: (window) => quantileOf(window, 0.5),
  zScore: (window) =>
    new Set(window).size === 1 ? 0 : ((window.at(-1) ?? 0) - mean(window)) / deviation(window),
};

const history = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 60 });
const size = fc.integer({ min: 1, max: 12 });

describe('rolling windows', () => {
  test.each(Object.keys(NAIVE))('%s is that of the last values, silent before', (name) => {
    const make = rolling[name as 'min'];
    fc.assert(
      fc.property(size, history, (length, numbers) => {
        const step = make(length, self)();
        numbers.forEach((number, end) => {
          const value = step(number);
          if (end < length - 1) expect(value).toBeUndefined();
          else expect(value).toBeCloseTo(NAIVE[name](numbers.slice(end - length + 1, end + 1)), 9);
        });
      }),
    );
  });

  test('quantiles lie between two values as those of numpy do', () => {
    const share = fc.constantFrom(0, 0.1, 0.25, 1 / 3, 0.5, 0.9, 1);
    fc.assert(
      fc.property(size, share, history, (length, part, numbers) => {
        const step = rolling.quantile(length, part, self)();
        numbers.forEach((number, end) => {
          const value = step(number);
          if (end < length - 1) expect(value).toBeUndefined();
          else {
            const window = numbers.slice(end - length + 1, end + 1);
            expect(value).toBeCloseTo(quantileOf(window, part), 9);
          }
        });
      }),
    );
    // numpy.quantile([1, 2, 4, 8], [0.1, 0.25, 0.9])
    const of = (part: number) => [8, 1, 4, 2].map(rolling.quantile(4, part, self)()).at(-1);
    expect([0.1, 0.25, 0.9].map((part) => of(part)?.toFixed(9))).toEqual([
      '1.300000000',
      '1.750000000',
      '6.800000000',
    ]);
  });

  test('read the closes of candles unless something else is said', () => {
    const seen: unknown[] = [];
    from(candlesOf([3, 1, 2]))
      .pipe(
        derive({
          low: rolling.min(2),
          closes: rolling.values(2),
          times: rolling.values(2, (candle: Candle) => candle.openedAt / 60e6),
        }),
      )
      .subscribe(({ low, closes, times }) => seen.push({ low, closes, times }));
    expect(seen).toEqual([
      { low: 1, closes: [3, 1], times: [0, 1] },
      { low: 1, closes: [1, 2], times: [1, 2] },
    ]);
    expectTypeOf(rolling.values(2)).toEqualTypeOf<Indicator<Candle, readonly number[]>>();
  });

  test('do not keep a rest of what has left the window', () => {
    const of = [1e16, 1, 2, 3].map(rolling.sum(3, self)());
    expect(of.at(-1)).toBe(6);
  });

  test('refuse what is no length and no share', () => {
    expect(() => rolling.mean(0)).toThrow('rolling.mean(0): the length is a whole number');
    expect(() => rolling.min(1.5)).toThrow('rolling.min(1.5)');
    expect(() => rolling.std(3, 4 as never)).toThrow('is a function of an event');
    expect(() => rolling.quantile(3, 90)).toThrow('the quantile is 90 and must be from 0 to 1');
    expect(() => lastValues(0)).toThrow('lastValues(0)');
  });
});

describe('history since an event', () => {
  const big = (value: number): boolean => value >= 10;

  test('counts and compares from the last event that is meant, that one included', () => {
    const numbers = [5, 10, 3, 12, 11, 9, 4];
    const all = (indicator: Indicator<number, number>) => numbers.map(indicator());
    expect(all(barsSince(big))).toEqual([undefined, 0, 1, 0, 0, 1, 2]);
    expect(all(highestSince(big, self))).toEqual([undefined, 10, 10, 12, 11, 11, 11]);
    expect(all(lowestSince(big, self))).toEqual([undefined, 10, 3, 12, 11, 9, 4]);
  });

  test('reads highs and lows of candles unless something else is said', () => {
    const candles = [candleOf(10, { high: 15, low: 9 }), candleOf(11, { high: 20, low: 4 })];
    const isFirst = (candle: Candle): boolean => candle === candles[0];
    expect(candles.map(highestSince(isFirst)())).toEqual([15, 20]);
    expect(candles.map(lowestSince(isFirst)())).toEqual([9, 4]);
    expect(() => barsSince(3 as never)).toThrow('takes functions of an event');
  });
});

describe('operators', () => {
  test('values gives those of one indicator, lastValues the last events', () => {
    new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected);
    }).run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<number>('a-b-c-|', { a: 1, b: 3, c: 5 });
      expectObservable(source.pipe(values(ta.sma({ length: 2, of: self })))).toBe('--b-c-|', {
        b: 2,
        c: 4,
      });
      const pairs: Observable<readonly number[]> = source.pipe(lastValues(2));
      expectObservable(pairs, '---!').toBe('--b-', { b: [1, 3] });
      expectSubscriptions(source.subscriptions).toBe(['^-----!', '^--!']);
    });
  });
});
