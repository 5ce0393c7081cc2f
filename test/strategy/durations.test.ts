import { auditTime } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { expect, test } from 'vitest';
import { days, hours, minutes, seconds } from '../../src/index.ts';

test('durations are whole milliseconds', () => {
  expect([seconds(1), minutes(5), hours(4), days(2)]).toEqual([
    1_000,
    300_000,
    14_400_000,
    2 * 24 * 60 * 60 * 1_000,
  ]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, '5'])(
  'a span of %o is refused where it is computed',
  (count) => {
    for (const span of [seconds, minutes, hours, days]) {
      expect(() => span(count as number)).toThrow(`${span.name}(`);
    }
    expect(() => hours(count as number)).toThrow('a span is a finite number of hours');
  },
);

test('time operators of RxJS take them', () => {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  });
  scheduler.run(({ cold, expectObservable }) => {
    expectObservable(cold('a 1s b').pipe(auditTime(minutes(1)))).toBe('60s b');
  });
});
