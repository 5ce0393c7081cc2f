import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { defineStrategy, target, z, type CandlePeriodName } from '../../../src/index.ts';
import { candleSource } from '../../../src/engine/market/feed-contents.ts';
import { replay } from '../../../src/testing.ts';

/** A strategy that says each candle of a period that it sees, as the lots of a target. */
const watcher = (period: CandlePeriodName, seen: unknown[]) =>
  defineStrategy({
    name: 'watcher',
    summary: 'Looks.',
    parameters: z.object({}),
    run: ({ market, clock }) =>
      market.candles('BTCUSDT', period).pipe(
        map((candle) => {
          const hour = (at: number): number => at / 3.6e9;
          const { openTicks, highTicks, lowTicks, closeTicks } = candle;
          seen.push({
            period: candle.period,
            from: hour(candle.openedAt),
            to: hour(candle.closedAt),
            prices: [openTicks, highTicks, lowTicks, closeTicks].map((one) => one / 100),
            seenAt: hour(clock.now()),
          });
          return target('BTCUSDT', 0);
        }),
      ),
  });

describe('candles of periods that no venue has', () => {
  test('are built from shorter candles, and come with the last of them', () => {
    const seen: unknown[] = [];
    replay(watcher('H2', seen), {}).candles('M30', [10, 12, 9, 11, 14, 13, 12, 15, 16]);
    expect(seen).toEqual([
      { period: 'H2', from: 0, to: 2, prices: [10, 12, 9, 11], seenAt: 2 },
      { period: 'H2', from: 2, to: 4, prices: [11, 15, 11, 15], seenAt: 4 },
    ]);
  });

  test('are built from trades, and end by the clock', () => {
    const seen: unknown[] = [];
    replay(watcher('6h', seen), {}, { until: '07:00' }).trades([
      ['00:00:01', 10],
      ['03:00', 14],
      ['05:59:59', 12],
      ['06:00:00', 11],
    ]);
    expect(seen).toEqual([{ period: 'H6', from: 0, to: 6, prices: [10, 14, 10, 12], seenAt: 6 }]);
  });

  test('are refused where the candles of the feed do not fit into them', () => {
    const source = (candlePeriod: 'M1' | 'M3' | 'H4', period: 'M10' | 'H6', trades = false) =>
      candleSource('BTCUSDT', { trades, levels: false, quotes: false, candlePeriod }, period);
    expect(source('M1', 'M10')).toBe('candles');
    expect(source('M3', 'M10', true)).toBe('trades');
    expect(() => source('M3', 'M10')).toThrow('candles of M3 only, from which M10 cannot be built');
    expect(() => source('H4', 'H6')).toThrow('from which H6 cannot be built');
    const unknown = replay(watcher('H3' as never, []), {});
    expect(() => unknown.candles('M1', [1])).toThrow('There is no candle period "H3"');
  });
});
