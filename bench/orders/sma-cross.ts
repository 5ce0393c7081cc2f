import { map, pairwise, filter } from 'rxjs';
import { defineStrategy, derive, place, sma, z } from '../../src/index.ts';

/** The yardstick of frameworks that count bars: two means of closes, and a market order at each cross. */
export const smaCross = defineStrategy({
  name: 'sma-cross',
  summary: 'Buys where the fast mean rises above the slow one and sells where it falls below.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    fast: z.int().min(1).default(10).describe('candles'),
    slow: z.int().min(2).default(30).describe('candles'),
    lots: z.int().min(1).default(100).describe('lots of each order'),
  }),
  run: ({ market, parameters: { symbol, fast, slow, lots } }) =>
    market.candles(symbol, 'M1').pipe(
      derive({ fast: sma(fast), slow: sma(slow) }),
      map((means) => means.fast > means.slow),
      pairwise(),
      filter(([before, now]) => before !== now),
      map(([, above]) => place(symbol, { type: 'market', side: above ? 'buy' : 'sell', lots })),
    ),
});
