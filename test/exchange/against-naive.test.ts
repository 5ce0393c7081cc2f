import fc from 'fast-check';
import { test } from 'vitest';
import { history, play } from './pair.ts';
import { runs, seed } from '../kit/size.ts';

// `npm run nightly` plays many more of them.
test(
  'does, step by step, what a slow and obvious exchange does',
  { tags: ['server:trading-v3.rule.balance-conservation'], timeout: 120_000 },
  () => {
    fc.assert(fc.property(history, play), { numRuns: runs(1_500), seed: seed(3) });
  },
);

test('and where what goes on at the close of a candle takes all that is left of its volume', () => {
  const common = { symbol: 'BTCUSDT', lots: 1, ticks: 96, life: 'GTC' } as const;
  const rests = { ...common, type: 'limit', stop: 96 } as const;
  const profits = { ...common, type: 'takeProfitMarket' } as const;
  play([
    { funds: '5000' },
    [
      {
        kind: 'list',
        account: 0,
        type: 'oneCancelOther',
        parts: [
          { ...rests, side: 'buy' },
          { ...profits, side: 'sell', lots: 2, stop: 96 },
        ],
      },
      { kind: 'candle', prices: [96, 96, 96, 96], lots: 1, periodUs: 0 },
      {
        kind: 'list',
        account: 0,
        type: 'oneTriggerOther',
        parts: [
          { ...rests, side: 'sell' },
          { ...profits, side: 'buy', stop: 97 },
          { ...rests, side: 'buy' },
        ],
      },
      { kind: 'candle', prices: [96, 97, 96, 96], lots: 2, periodUs: 1_000_000 },
    ],
  ]);
});
