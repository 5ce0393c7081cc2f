import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EquityRow } from '../../../src/backtest/tables/equity-series.ts';
import { isoTime, micros, parseIsoTime } from '../../../src/platform/time.ts';
import { dailyReturns, type DailyReturn } from '../../../src/research/export/daily-returns.ts';
import { runs, seed } from '../../kit/size.ts';

const row = (at: string, equity: string): EquityRow => ({
  at: isoTime(micros(parseIsoTime(at) ?? Number.NaN)),
  equity,
  drawdown: 0,
});

test('a sample at midnight ends the day before, and the first is what the first day begins with', () => {
  const samples = [
    row('2024-03-04T18:00:00Z', '100'),
    row('2024-03-04T23:59:59.999999Z', '90'),
    row('2024-03-05', '110'),
    row('2024-03-05T00:00:00.000001Z', '55'),
  ];
  expect([...dailyReturns(samples)]).toEqual([
    { date: '2024-03-04', returns: '0.1', equity: '110' },
    { date: '2024-03-05', returns: '-0.5', equity: '55' },
  ]);
  expect([...dailyReturns([row('2024-03-04', '5'), row('2024-03-05', '6')])]).toEqual([
    { date: '2024-03-04', returns: '0.2', equity: '6' },
  ]);
});

test('a quotient is rounded to 18 decimals, half to even', () => {
  const from = (first: string, last: string): string =>
    [...dailyReturns([row('2024-03-04', first), row('2024-03-04T12:00', last)])][0].returns;
  expect(from('3', '4')).toBe('0.333333333333333333');
  expect(from('3', '5')).toBe('0.666666666666666667');
  expect(from('2000000000000000000', '2000000000000000001')).toBe('0');
  expect(from('2000000000000000000', '2000000000000000003')).toBe('0.000000000000000002');
});

test('a day without a sample, or that begins without equity, has no return', () => {
  const gap = [row('2024-03-04', '1'), row('2024-03-04T12:00', '1'), row('2024-03-06T12:00', '1')];
  expect(() => [...dailyReturns(gap)]).toThrow(/2024-03-05 has no sample of equity.*sampleEvery/);
  for (const equity of ['0', '-5']) {
    const lost = [row('2024-03-04', '9'), row('2024-03-05', equity), row('2024-03-05T01:00', '1')];
    expect(() => [...dailyReturns(lost)]).toThrow(
      new RegExp(`2024-03-05 begins with an equity of ${equity}`),
    );
  }
  expect([...dailyReturns([])]).toEqual([]);
  expect([...dailyReturns([row('2024-03-04', '1')])]).toEqual([]);
});

const PLACES = 10n ** 18n;

/** (a − b) / b in whole units of the last place, half to even, by whole numbers alone. */
function unitsOf(a: bigint, b: bigint): bigint {
  const [doubled, sign] = [2n * (a > b ? a - b : b - a) * PLACES, a > b ? 1n : -1n];
  const floor = doubled / (2n * b);
  const rest = doubled % (2n * b);
  const isUp = rest > b || (rest === b && floor % 2n === 1n);
  return sign * (floor + (isUp ? 1n : 0n));
}

/** Day by day, each looked for again in all samples. */
function plainly(samples: readonly (readonly [at: number, cents: bigint])[]): DailyReturn[] {
  const dates = samples.slice(1).map(([at]) => isoTime(micros(at - 1)).slice(0, 10));
  const ends = [...new Set(dates)].map(
    (date) => [date, samples[dates.lastIndexOf(date) + 1]] as const,
  );
  return ends.map(([date, [, cents]], index) => {
    const units = unitsOf(cents, index === 0 ? samples[0][1] : ends[index - 1][1][1]);
    const digits = String(units < 0n ? -units : units).padStart(19, '0');
    const text = `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '') || '0';
    return { date, returns: units < 0n ? `-${text}` : text, equity: centsText(cents) };
  });
}

const centsText = (cents: bigint): string =>
  `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`.replace(/\.?0+$/, '');

test('returns are those of whole numbers, day by day, for any samples', () => {
  const steps = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 90_000_000_000 }), fc.bigInt({ min: 1n, max: 10n ** 15n })),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 86_400_000_000 }), (given, start) => {
      let at = 1_709_510_400_000_000 + start;
      const samples = given.map(([step, cents]) => {
        at += Math.min(step, 86_400_000_000);
        return [at, cents] as const;
      });
      const rows = samples.map(([us, cents]) => row(isoTime(micros(us)), centsText(cents)));
      expect([...dailyReturns(rows)]).toEqual(plainly(samples));
    }),
    { numRuns: runs(1_000), seed: seed(91) },
  );
});
