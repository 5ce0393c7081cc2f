import { combineLatest, concat, NEVER, of, Subject, type Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  derive,
  ema,
  highest,
  sma,
  type Candle,
  type Indicator,
  type Ticks,
} from '../../src/index.ts';
import { candlesOf } from '../kit/candles.ts';

const run = (body: Parameters<TestScheduler['run']>[0]): void => {
  new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  }).run(body);
};

/** The number of events so far, from the `from`-th on. */
const counted =
  (from: number): Indicator<string, number> =>
  () => {
    let seen = 0;
    return () => {
      seen += 1;
      return seen < from ? undefined : seen;
    };
  };

describe('derive', () => {
  test('emits once per event, with all values and the event, from the first at which all are warm', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  a-b-(cd)-|');
      const subscription = ' ^--------!';
      const expected = '     --b-(cd)-|';
      const result = source.pipe(derive({ one: counted(1), two: counted(2) }));
      expectObservable(result).toBe(expected, {
        b: { one: 2, two: 2, event: 'b' },
        c: { one: 3, two: 3, event: 'c' },
        d: { one: 4, two: 4, event: 'd' },
      });
      expectSubscriptions(source.subscriptions).toBe(subscription);
    });
  });

  test('unsubscribes from the events when it is unsubscribed from', () => {
    run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('     -a-b-c-d');
      const unsubscribe = '    ^---!';
      const expected = '       -a-b-';
      const values = { a: { n: 1, event: 'a' }, b: { n: 2, event: 'b' } };
      expectObservable(source.pipe(derive({ n: counted(1) })), unsubscribe).toBe(expected, values);
      expectSubscriptions(source.subscriptions).toBe(unsubscribe);
    });
  });

  test('starts fresh for every subscription', () => {
    run(({ cold, expectObservable }) => {
      const result = cold('a-b-|').pipe(derive({ n: counted(2) }));
      const values = { b: { n: 2, event: 'b' } };
      expectObservable(concat(result, result)).toBe('--b---b-|', values);
    });
  });

  test('passes errors on, those of an indicator too, and unsubscribes from the events', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold('a-#').pipe(derive({ n: counted(5) }))).toBe('--#');
      const source = cold('a-b-c');
      const fault = new Error('three is too many');
      const faulty: Indicator<string, number> = () => {
        let seen = 0;
        return () => {
          seen += 1;
          if (seen === 2) throw fault;
          return seen;
        };
      };
      expectObservable(source.pipe(derive({ n: faulty }))).toBe(
        'a-#',
        { a: { n: 1, event: 'a' } },
        fault,
      );
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  test('gives 0, NaN, false and null out as values: only undefined means not yet', () => {
    const values: unknown[] = [];
    const always =
      <V>(value: V): Indicator<number, V> =>
      () =>
      () =>
        value;
    of(1)
      .pipe(derive({ a: always(0), b: always(Number.NaN), c: always(false), d: always(null) }))
      .subscribe((value) => values.push(value));
    expect(values).toEqual([{ a: 0, b: Number.NaN, c: false, d: null, event: 1 }]);
  });

  test('has no half-updated pair where combineLatest has one per candle', () => {
    const candles = new Subject<Candle>();
    const derived: boolean[] = [];
    const combined: boolean[] = [];
    const agree = (a: number, b: number): boolean => a === b;
    candles
      .pipe(derive({ a: sma(2), b: sma(2) }))
      .subscribe(({ a, b }) => derived.push(agree(a, b)));
    combineLatest([
      candles.pipe(derive({ v: sma(2) })),
      candles.pipe(derive({ v: sma(2) })),
    ]).subscribe(([a, b]) => combined.push(agree(a.v, b.v)));
    for (const candle of candlesOf([10, 12, 20, 40])) candles.next(candle);
    expect(derived).toEqual([true, true, true]);
    expect(combined).toEqual([true, false, true, false, true]);
  });

  test('takes an indicator written in one line', () => {
    const range: Indicator<Candle, number> = () => (candle) => candle.highTicks - candle.lowTicks;
    const values: number[] = [];
    of(...candlesOf([5]))
      .pipe(derive({ range }))
      .subscribe((each) => values.push(each.range));
    expect(values).toEqual([0]);
  });

  test('knows the types of its values and of the event', () => {
    const candles: Observable<Candle> = NEVER;
    const result = candles.pipe(derive({ fast: ema(12), high: highest(20) }));
    expectTypeOf(result).toEqualTypeOf<
      Observable<
        Readonly<{ fast: number; high: Ticks }> & {
          readonly event: Candle;
        }
      >
    >();
    // @ts-expect-error these events are no candles
    of(1, 2, 3).pipe(derive({ fast: ema(12) }));
    // @ts-expect-error the name is taken by the event itself
    candles.pipe(derive({ event: ema(12) }));
  });
});
