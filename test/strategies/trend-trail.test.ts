import { expect, test } from 'vitest';
import { oto } from 'millrace';
import { replay } from 'millrace/testing';
import trendTrail from '../../strategies/trend-trail.ts';

const PARAMETERS = { period: 'M5', length: 2, atrLength: 2, distance: 2 } as const;

test('enters above the range for what the risk allows, with a stop that trails', () => {
  const entered = (risk: string) => {
    const candles = replay(trendTrail, { ...PARAMETERS, risk }).candles('M5', [100, 101, 100]);
    return candles[0]?.command;
  };
  const entry = (lots: number) =>
    oto('BTCUSDT', [
      { type: 'stopMarket', side: 'buy', stopTicks: 10_101, lots, timeInForce: 'GTC' },
      {
        type: 'stopMarket',
        side: 'sell',
        stopTicks: 10_001,
        lots,
        timeInForce: 'GTC',
        trail: { ticks: 100 },
      },
    ]);
  // Ranges of 0.50: the stop is 1.00 behind 101.01, and 10 of 10,000 are at risk.
  expect(entered('0.001')).toEqual(entry(1_000_000));
  // 8,000 at most, at 101.01.
  expect(entered('0.01')).toEqual(entry(7_920_007));
});
