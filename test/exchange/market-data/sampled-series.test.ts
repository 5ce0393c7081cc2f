import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SAMPLED } from '../../../src/exchange/market-data/market-data.ts';
import {
  SampledSeries,
  type SampledCandle,
} from '../../../src/exchange/market-data/sampled-series.ts';
import { decimal, Decimal } from '../../../src/model/decimal.ts';
import { PERIODS, periodEnd, periodStart, type Period } from '../../../src/model/period.ts';
import { micros, US_PER_HOUR, US_PER_MINUTE } from '../../../src/platform/time.ts';
import { Floor } from '../kit.ts';
import { INSTRUMENTS } from './actor.ts';

const ALL = { sort: 'ASC', limit: 1_000 } as const;
const line = (c: SampledCandle): string =>
  `${c.openedAt / US_PER_MINUTE}: ${[c.open, c.max, c.min, c.close].map((v) => v.toFixed()).join(' ')}`;

/** Open is the last value at or before the start; high and low are over it and what came after. */
function candlesOf(
  samples: readonly (readonly [at: number, value: number])[],
  period: Period,
  now: number,
): string[] {
  const found: string[] = [];
  const first = samples.at(0)?.[0] ?? Infinity;
  for (
    let start = periodStart(period, micros(first));
    start <= now;
    start = periodEnd(period, start)
  ) {
    const end = periodEnd(period, start);
    const before = samples.filter(([at]) => at <= start).at(-1);
    const after = samples.filter(([at]) => at > start && at < end).map(([, value]) => value);
    const values = before === undefined ? after : [before[1], ...after];
    const prices = [values[0], Math.max(...values), Math.min(...values), values[values.length - 1]];
    found.push(`${start / US_PER_MINUTE}: ${prices.join(' ')}`);
  }
  return found;
}

describe('a sampled value', () => {
  test('has a candle for every period from its first sample on, which opens with the value before', () => {
    const series = new SampledSeries(10);
    expect(series.value).toBeUndefined();
    expect(series.query('M1', ALL, micros(US_PER_HOUR))).toEqual([]);
    series.sample(micros(US_PER_MINUTE + 30_000_000), decimal('0.1'));
    series.sample(micros(US_PER_MINUTE + 40_000_000), decimal('0.3'));
    series.sample(micros(4 * US_PER_MINUTE), decimal('0.2'));
    series.sample(micros(5 * US_PER_MINUTE + 1), decimal('-0.4'));
    expect(series.query('M1', ALL, micros(6 * US_PER_MINUTE)).map(line)).toEqual([
      '1: 0.1 0.3 0.1 0.3',
      '2: 0.3 0.3 0.3 0.3',
      '3: 0.3 0.3 0.3 0.3',
      '4: 0.2 0.2 0.2 0.2',
      '5: 0.2 0.2 -0.4 -0.4',
      '6: -0.4 -0.4 -0.4 -0.4',
    ]);
    expect(series.value?.toFixed()).toBe('-0.4');
  });

  test('is what a naive list of all samples gives, whatever the period and the page', () => {
    const sample = fc.tuple(
      fc.constantFrom(0, 1, 10_000_000, US_PER_MINUTE, 7 * US_PER_MINUTE, 30 * US_PER_MINUTE),
      fc.integer({ min: -3, max: 3 }),
    );
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 30 }),
        fc.constantFrom(...PERIODS),
        fc.constantFrom('ASC', 'DESC'),
        fc.nat({ max: 5 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat({ max: 90 * US_PER_MINUTE }),
        (steps, period, sort, offset, limit, rest) => {
          const series = new SampledSeries(50);
          const samples: [number, number][] = [];
          let at = 497_222 * US_PER_HOUR;
          for (const [us, value] of steps) {
            at += us;
            samples.push([at, value]);
            series.sample(micros(at), new Decimal(value));
          }
          const naive = candlesOf(samples, period, at + rest);
          if (sort === 'DESC') naive.reverse();
          const found = series.query(period, { sort, offset, limit }, micros(at + rest));
          expect(found.map(line)).toEqual(naive.slice(offset, offset + limit));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('is asked for by the start of the periods, and no further back than its samples are kept', () => {
    const series = new SampledSeries(2);
    for (let i = 0; i < 6; i += 1) series.sample(micros(i * US_PER_MINUTE + 5), new Decimal(i));
    const starts = (from: number, till: number): number[] =>
      series
        .query('M1', { ...ALL, from, till }, micros(10 * US_PER_MINUTE))
        .map((c) => c.openedAt / US_PER_MINUTE);
    expect(starts(0, 20 * US_PER_MINUTE)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(starts(4 * US_PER_MINUTE, 6 * US_PER_MINUTE)).toEqual([4, 5, 6]);
    expect(starts(4 * US_PER_MINUTE + 1, 6 * US_PER_MINUTE - 1)).toEqual([5]);
    expect(starts(0, US_PER_MINUTE)).toEqual([]);
    expect(starts(11 * US_PER_MINUTE, 12 * US_PER_MINUTE)).toEqual([]);
  });

  test('has a place for each value of a contract, to be filled by who computes it', () => {
    const floor = new Floor(INSTRUMENTS, { marketData: {} });
    for (const name of SAMPLED) {
      floor.exchange.marketData?.series(1, name).sample(micros(5), new Decimal(name.length));
      expect(floor.exchange.marketData?.series(1, name).value?.toNumber()).toBe(name.length);
      expect(floor.exchange.marketData?.series(0, name).value).toBeUndefined();
    }
  });
});
