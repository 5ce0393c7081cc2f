import { describe, expect, test } from 'vitest';
import { Candles } from '../../../src/exchange/market-data/candles.ts';
import type { MarketCandle } from '../../../src/exchange/market-data/market-candle.ts';
import type { Period } from '../../../src/model/period.ts';
import { parseIsoTime } from '../../../src/platform/time.ts';
import { instrumentOf } from '../kit.ts';

const at = (text: string): number => parseIsoTime(text) ?? Number.NaN;
const ALL = { sort: 'ASC', limit: 1_000 } as const;
const latest = (candles: Candles, period: Period): MarketCandle | undefined =>
  candles.query(period, { sort: 'DESC', limit: 1 })[0];
const starts = (candles: readonly MarketCandle[]): string[] =>
  candles.map((candle) => new Date(candle.openedAt / 1_000).toISOString());

describe('candles', () => {
  test('there is one only for periods with trades, and it opens with its first trade', () => {
    const candles = new Candles(instrumentOf(), 10);
    candles.trade(at('2026-11-21T16:29:59.999999Z'), 100, 1);
    candles.trade(at('2026-11-21T16:30:00Z'), 105, 2);
    candles.trade(at('2026-11-21T17:45:00Z'), 101, 3);
    const found = candles.query('M30', ALL);
    expect(starts(found)).toEqual([
      '2026-11-21T16:00:00.000Z',
      '2026-11-21T16:30:00.000Z',
      '2026-11-21T17:30:00.000Z',
    ]);
    expect(found.map((c) => c.open.toFixed())).toEqual(['100', '105', '101']);
  });

  test('weeks begin on Monday and months on their first day', () => {
    const candles = new Candles(instrumentOf(), 10);
    candles.trade(at('2026-11-22T23:59:59Z'), 100, 1);
    candles.trade(at('2026-11-23T00:00:00Z'), 100, 1);
    candles.trade(at('2026-12-01T00:00:00Z'), 100, 1);
    expect(starts(candles.query('D7', ALL))).toEqual([
      '2026-11-16T00:00:00.000Z',
      '2026-11-23T00:00:00.000Z',
      '2026-11-30T00:00:00.000Z',
    ]);
    expect(starts(candles.query('1M', ALL))).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
    ]);
  });

  test('the open one changes with every trade of its period, and is the latest until the next begins', () => {
    const candles = new Candles(instrumentOf(), 10);
    expect(latest(candles, 'H1')).toBeUndefined();
    candles.trade(at('2026-11-21T16:00:30Z'), 100, 4);
    expect(latest(candles, 'H1')).toMatchObject({ openTicks: 100, closeTicks: 100, value: 400n });
    candles.trade(at('2026-11-21T16:01:30Z'), 98, 1);
    candles.trade(at('2026-11-21T16:40:30Z'), 103, 2);
    expect(latest(candles, 'M1')).toMatchObject({ openTicks: 103, volumeLots: 2n });
    expect(latest(candles, 'H1')).toMatchObject({
      openTicks: 100,
      highTicks: 103,
      lowTicks: 98,
      closeTicks: 103,
      volumeLots: 7n,
      value: 704n,
    });
    candles.trade(at('2026-11-21T17:00:00Z'), 99, 1);
    expect(starts(candles.query('H1', ALL))).toHaveLength(2);
    expect(latest(candles, 'H1')).toMatchObject({ openTicks: 99, lowTicks: 99, volumeLots: 1n });
  });

  test('decimals of a candle are exact, sums beyond 2^53 too', () => {
    const terms = instrumentOf({ tickSize: '0.01', quantityIncrement: '0.00001' });
    const candles = new Candles(terms, 10);
    candles.trade(0, 6_183_763, Number.MAX_SAFE_INTEGER);
    candles.trade(1, 6_183_764, Number.MAX_SAFE_INTEGER);
    candles.trade(2, 6_183_760, 1);
    const [candle] = candles.query('1M', ALL);
    expect(candle.volume.toFixed()).toBe('180143985094.81983');
    expect(candle.volumeQuote.toFixed()).toBe('11139677997738909.0383017');
    expect([candle.open, candle.max, candle.min, candle.close].map((d) => d.toFixed())).toEqual([
      '61837.63',
      '61837.64',
      '61837.6',
      '61837.6',
    ]);
  });

  test('a history is asked for by time, in either order, a page at a time', () => {
    const candles = new Candles(instrumentOf(), 5);
    for (let minute = 0; minute < 9; minute += 1)
      candles.trade(minute * 60_000_000, 100 + minute, 1);
    const opens = (page: Parameters<Candles['query']>[1]): number[] =>
      candles.query('M1', page).map((c) => c.openTicks);
    // Five finished ones are kept, and the one that is open.
    expect(opens(ALL)).toEqual([103, 104, 105, 106, 107, 108]);
    expect(opens({ sort: 'DESC', limit: 2 })).toEqual([108, 107]);
    expect(opens({ sort: 'DESC', limit: 2, offset: 3 })).toEqual([105, 104]);
    const bounds = { from: 5 * 60_000_000, till: 7 * 60_000_000 };
    expect(opens({ ...bounds, sort: 'ASC', limit: 9 })).toEqual([105, 106, 107]);
    expect(opens({ ...bounds, sort: 'DESC', limit: 9, offset: 2 })).toEqual([105]);
    expect(opens({ ...bounds, sort: 'DESC', limit: 9, offset: 3 })).toEqual([]);
  });
});
