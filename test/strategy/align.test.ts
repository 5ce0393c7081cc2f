import { NEVER, Subject, throwError, type Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { align, hours, minutes, seconds, type AlignOptions, type Candle } from '../../src/index.ts';
import { Candle as Made } from '../../src/model/candle.ts';
import { periodEnd, type Period } from '../../src/model/period.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { instrumentOf } from '../kit/instruments.ts';

const INSTRUMENT = instrumentOf();
const HOUR_US = 3_600_000_000;

/** A candle that opened at an hour of the first day. */
const candle = (hour: number, period: Period = 'H1', spanHours?: number): Candle => {
  const openedAt = micros(hour * HOUR_US);
  const closedAt =
    spanHours === undefined ? periodEnd(period, openedAt) : micros((hour + spanHours) * HOUR_US);
  const price = ticks(hour);
  return new Made(INSTRUMENT, period, openedAt, closedAt, price, price, price, price, lots(1));
};

const closes = (candles: readonly Candle[]): string =>
  candles.map(({ closedAt }) => closedAt / HOUR_US).join(' ');

/** Two streams, and the hours at which the candles of each moment closed. */
function pair(options?: AlignOptions) {
  const [a, b] = [new Subject<Candle>(), new Subject<Candle>()];
  const moments: string[] = [];
  let isDone = false;
  const subscription = align([a, b], options).subscribe({
    next: (candles) => moments.push(closes(candles)),
    complete: () => (isDone = true),
  });
  return {
    a,
    b,
    moments,
    subscription,
    isDone: () => isDone,
    reported: () => moments.splice(0),
  };
}

describe('align', () => {
  test('emits one moment once, whichever of its candles comes first', () => {
    const { a, b, reported } = pair();
    a.next(candle(0));
    expect(reported()).toEqual([]);
    b.next(candle(0));
    expect(reported()).toEqual(['1 1']);
    b.next(candle(1));
    expect(reported()).toEqual([]);
    a.next(candle(1));
    expect(reported()).toEqual(['2 2']);
  });

  test('skips a moment at which a candle is missing, and is in step after the hole', () => {
    const { a, b, reported } = pair();
    for (const hour of [0, 1, 2, 3]) {
      a.next(candle(hour));
      if (hour !== 1) b.next(candle(hour));
    }
    expect(reported()).toEqual(['1 1', '3 3', '4 4']);
  });

  test('waits for a stream that is late', () => {
    const { a, b, reported } = pair();
    for (const hour of [0, 1, 2]) a.next(candle(hour));
    for (const hour of [0, 1, 2]) b.next(candle(hour));
    expect(reported()).toEqual(['1 1', '2 2', '3 3']);
  });

  test('has beside a candle the last of a longer period, and both where both end', () => {
    const [short, long] = [new Subject<Candle>(), new Subject<Candle>()];
    const moments: string[] = [];
    align({ short, long }).subscribe((one) => moments.push(closes([one.short, one.long])));
    for (let hour = 0; hour < 9; hour += 1) {
      short.next(candle(hour));
      if (hour % 4 === 3) long.next(candle(hour - 3, 'H4'));
    }
    expect(moments).toEqual(['4 4', '5 4', '6 4', '7 4', '8 8', '9 8']);
  });

  test('leaves out moments whose longer candle is missing', () => {
    const { a, b, reported } = pair();
    b.next(candle(0, 'H4'));
    for (let hour = 3; hour < 13; hour += 1) a.next(candle(hour));
    b.next(candle(8, 'H4'));
    expect(reported()).toEqual(['4 4', '5 4', '6 4', '7 4', '12 12', '13 12']);
  });

  test('knows the next candle by the span of the last, months by the calendar', () => {
    const days = pair();
    // Days from 16:00, as some venues have them.
    days.b.next(candle(-8, 'D1', 24));
    for (let hour = 15; hour < 40; hour += 1) days.a.next(candle(hour));
    days.b.next(candle(16, 'D1', 24));
    expect(days.reported()).toHaveLength(25);
    const months = pair();
    months.b.next(candle(0, '1M'));
    months.a.next(candle(31 * 24 - 1));
    months.a.next(candle(59 * 24 - 2));
    expect(months.reported()).toEqual(['744 744', '1415 744']);
  });

  test('carries the last candle over a hole once another moment shows that it is one', () => {
    const { a, b, reported } = pair({ missing: 'carry', wait: hours(10) });
    a.next(candle(0));
    b.next(candle(0));
    a.next(candle(1));
    expect(reported()).toEqual(['1 1']);
    b.next(candle(2));
    expect(reported()).toEqual(['2 1']);
    a.next(candle(2));
    expect(reported()).toEqual(['3 3']);
  });

  test('carries after the wait, and takes what comes later as the last', () => {
    new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected);
    }).run(({ cold, expectObservable }) => {
      const of = (hour: number) => candle(hour);
      const one = cold<Candle>('a 999ms b 2999ms c', { a: of(0), b: of(1), c: of(2) });
      const two = cold<Candle>('a 2999ms b 5s d', { a: of(0), b: of(1), d: of(3) });
      expectObservable(align([one, two], { missing: 'carry', wait: seconds(1) })).toBe(
        'a 1999ms b 2999ms c 4s d',
        { a: [of(0), of(0)], b: [of(1), of(0)], c: [of(2), of(1)], d: [of(2), of(3)] },
      );
    });
  });

  test('emits nothing before every stream has a candle', () => {
    const { a, b, reported } = pair({ missing: 'carry', wait: 0 });
    for (const hour of [0, 1, 2]) a.next(candle(hour));
    b.next(candle(2));
    expect(reported()).toEqual(['3 3']);
  });

  test('keeps no more than 1,000 candles for a stream that is silent', () => {
    const { a, b, reported } = pair();
    for (let hour = 0; hour < 1_005; hour += 1) a.next(candle(hour));
    for (let hour = 0; hour < 1_005; hour += 1) b.next(candle(hour));
    const moments = reported();
    expect(moments).toHaveLength(1_000);
    expect(moments[0]).toBe('6 6');
  });

  test('completes when all streams have, with what they left', () => {
    const { a, b, reported, isDone } = pair({ missing: 'carry', wait: minutes(1) });
    a.next(candle(0));
    b.next(candle(0));
    b.next(candle(1));
    b.complete();
    expect([reported(), isDone()]).toEqual([['1 1'], false]);
    a.complete();
    expect([reported(), isDone()]).toEqual([['1 2'], true]);
    let isEmpty = false;
    align([]).subscribe({ complete: () => (isEmpty = true) });
    expect(isEmpty).toBe(true);
  });

  test('passes errors on and unsubscribes from all streams', () => {
    const failure = new Error('no more');
    const other = new Subject<Candle>();
    let reported: unknown;
    align([other, throwError(() => failure)]).subscribe({
      error: (error: unknown) => {
        reported = error;
      },
    });
    expect(reported).toBe(failure);
    expect(other.observed).toBe(false);
    const { a, b, subscription } = pair();
    subscription.unsubscribe();
    expect([a.observed, b.observed]).toEqual([false, false]);
  });

  test('has a candle for each stream in its type', () => {
    expectTypeOf(align([NEVER, NEVER])).toEqualTypeOf<Observable<readonly [Candle, Candle]>>();
  });

  test.each<[AlignOptions, string]>([
    [{ missing: 'drop' as 'skip' }, 'align: missing is drop and must be skip or carry.'],
    [{ wait: Number.NaN }, 'align: wait is NaN and must be milliseconds, 0 or more.'],
    [{ mising: 'carry' } as AlignOptions, 'align: mising is no option; did you mean missing?'],
    [
      Object.create({ hold: 5 }) as AlignOptions,
      'align: hold is no option; there are missing, wait.',
    ],
  ])('refuses %o', (options, message) => {
    expect(() => align([], options)).toThrow(message);
  });
});
