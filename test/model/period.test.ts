import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BUILT_PERIODS,
  candlePeriodOf,
  divides,
  firstWholePeriod,
  PERIODS,
  periodEnd,
  periodOf,
  periodStart,
  type CandlePeriod,
  type Period,
} from '../../src/model/period.ts';
import { isoTime, micros, type Micros } from '../../src/platform/time.ts';

const at = (iso: string): Micros => micros(Date.parse(iso) * 1_000);

/** From 1970 to the end of 2254, the domain that the module documents. */
const time = fc
  .integer({ min: 0, max: Date.parse('2254-12-31T23:59:59.999Z') })
  .chain((ms) => fc.integer({ min: 0, max: 999 }).map((us) => micros(ms * 1_000 + us)));

describe('the name of a period', () => {
  test('is that of the trading service, or that of other tools', () => {
    expect(PERIODS.map((period) => periodOf(period))).toEqual(PERIODS);
    const others = ['1m', '3m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '7d'];
    const periods = ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', 'D7'];
    expect(others.map((name) => periodOf(name))).toEqual(periods);
  });

  test.each(['2m', 'm5', '1H', '', 'toString', undefined, 5])(
    '%o is none, which is refused with all that there are',
    (name) => {
      expect(() => periodOf(name)).toThrow(/^There is no candle period .*M1, M3, .*1m, 3m, /);
    },
  );
});

describe('the period that holds a time', () => {
  test.each<[Period, string, string, string]>([
    ['M1', '2024-08-08T16:30:00.000Z', '2024-08-08T16:30:00.000Z', '2024-08-08T16:31:00.000Z'],
    ['M1', '2024-08-08T16:29:59.999Z', '2024-08-08T16:29:00.000Z', '2024-08-08T16:30:00.000Z'],
    ['M3', '2024-08-08T16:32:10.000Z', '2024-08-08T16:30:00.000Z', '2024-08-08T16:33:00.000Z'],
    ['M5', '2024-08-08T16:34:59.999Z', '2024-08-08T16:30:00.000Z', '2024-08-08T16:35:00.000Z'],
    ['M15', '2024-08-08T16:44:00.000Z', '2024-08-08T16:30:00.000Z', '2024-08-08T16:45:00.000Z'],
    ['M30', '2024-08-08T16:30:00.000Z', '2024-08-08T16:30:00.000Z', '2024-08-08T17:00:00.000Z'],
    ['H1', '2024-08-08T16:30:00.000Z', '2024-08-08T16:00:00.000Z', '2024-08-08T17:00:00.000Z'],
    ['H4', '2024-08-08T19:59:59.999Z', '2024-08-08T16:00:00.000Z', '2024-08-08T20:00:00.000Z'],
    ['D1', '2024-02-29T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    // 2024-08-08 was a Thursday, 2024-08-05 its Monday.
    ['D7', '2024-08-08T16:30:00.000Z', '2024-08-05T00:00:00.000Z', '2024-08-12T00:00:00.000Z'],
    ['D7', '2024-08-05T00:00:00.000Z', '2024-08-05T00:00:00.000Z', '2024-08-12T00:00:00.000Z'],
    ['D7', '2024-08-04T23:59:59.999Z', '2024-07-29T00:00:00.000Z', '2024-08-05T00:00:00.000Z'],
    ['D7', '1970-01-01T00:00:00.000Z', '1969-12-29T00:00:00.000Z', '1970-01-05T00:00:00.000Z'],
    ['1M', '2024-02-29T23:59:59.999Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['1M', '2024-12-31T23:59:59.999Z', '2024-12-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'],
    ['1M', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', '1970-02-01T00:00:00.000Z'],
  ])('%s of %s runs from %s to %s', (period, time, start, end) => {
    expect(isoTime(periodStart(period, at(time)))).toBe(start);
    expect(isoTime(periodEnd(period, at(time)))).toBe(end);
  });

  test('the last microsecond belongs to it, the end to the next', () => {
    const end = at('2024-08-08T16:30:00Z');
    expect(periodStart('M30', micros(end - 1))).toBe(at('2024-08-08T16:00:00Z'));
    expect(periodStart('M30', end)).toBe(end);
  });

  test('periods cover time without gap or overlap, whatever the time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), time, (period, t) => {
        const start = periodStart(period, t);
        const end = periodEnd(period, t);
        expect(start <= t && t < end).toBe(true);
        expect(periodStart(period, start)).toBe(start);
        expect(periodStart(period, micros(end - 1))).toBe(start);
        expect(periodStart(period, end)).toBe(end);
      }),
    );
  });

  test('weeks begin on Monday and months on day 1, at 00:00 UTC by the calendar', () => {
    fc.assert(
      fc.property(time, (t) => {
        const week = new Date(periodStart('D7', t) / 1_000);
        const month = new Date(periodStart('1M', t) / 1_000);
        const now = new Date(Math.floor(t / 1_000));
        expect(week.getUTCDay()).toBe(1);
        expect(week.toISOString()).toMatch(/T00:00:00\.000Z$/);
        expect(month.toISOString()).toBe(`${now.toISOString().slice(0, 7)}-01T00:00:00.000Z`);
      }),
    );
  });
});

describe('built periods', () => {
  test('divide the day from midnight of UTC, as those of the venue do', () => {
    const day = micros(Date.UTC(2024, 2, 5) * 1_000);
    for (const [period, minutes] of [
      ['M10', 10],
      ['H2', 120],
      ['H6', 360],
      ['H12', 720],
    ] as const) {
      const starts = Array.from(
        { length: 1_440 },
        (_, minute) => periodStart(period, micros(day + minute * 60e6 + 1)) - day,
      );
      expect([...new Set(starts)]).toEqual(
        Array.from({ length: 1_440 / minutes }, (_, turn) => turn * minutes * 60e6),
      );
      expect(periodEnd(period, day)).toBe(day + minutes * 60e6);
    }
  });

  test('are made of candles that fit into them whole', () => {
    const all = [...PERIODS, ...BUILT_PERIODS];
    const parts = (long: CandlePeriod) => all.filter((short) => divides(short, long)).toSorted();
    expect(parts('M10')).toEqual(['M1', 'M5']);
    expect(parts('M15')).toEqual(['M1', 'M3', 'M5']);
    expect(parts('H6')).toEqual(['H1', 'H2', 'M1', 'M10', 'M15', 'M3', 'M30', 'M5']);
    expect(parts('H12')).toEqual(['H1', 'H2', 'H4', 'H6', 'M1', 'M10', 'M15', 'M3', 'M30', 'M5']);
    expect(parts('1M')).toEqual(
      all.filter((period) => period !== 'D7' && period !== '1M').toSorted(),
    );
    expect(all.filter((long) => divides('1M', long))).toEqual([]);
    expect(parts('D7')).toContain('D1');
  });

  test('have the names of other tools, and are none of the venue', () => {
    expect(candlePeriodOf('2h')).toBe('H2');
    expect(candlePeriodOf('M10')).toBe('M10');
    expect(candlePeriodOf('1w')).toBe('D7');
    expect(() => periodOf('H2')).toThrow('There is no candle period "H2"');
    expect(() => candlePeriodOf('H3')).toThrow('M10, H2, H6, H12');
    expect(() => candlePeriodOf('H3')).toThrow(/or as others write them 1m, .*2h/);
  });
});

test('a name that is none is shown, but not all of a long one', () => {
  expect(() => periodOf('x'.repeat(50))).toThrow(
    expect.objectContaining({
      code: 'period-unknown',
      field: 'period',
      message: expect.stringContaining(`period "${'x'.repeat(40)}"; there are M1, M3`),
    }),
  );
  expect(() => periodOf(5)).toThrow('There is no candle period number; there are');
});

test('a period is whole to whoever missed no more than a hundredth of it', () => {
  const start = at('2024-08-08T12:00:00Z');
  const end = at('2024-08-08T13:00:00Z');
  const firstAfter = (us: number): Micros => firstWholePeriod('H1', micros(start + us));
  // A hundredth of an hour are 36 seconds.
  expect([0, 36_000_000, 36_000_001].map(firstAfter)).toEqual([start, start, end]);
});
