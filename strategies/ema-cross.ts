import { map } from 'rxjs';
import { above, defineStrategy, derive, ema, target, z } from 'millrace';

/** Short trends persist. Weak in a ranging market: every cross costs the spread and two fees. */
export default defineStrategy({
  name: 'ema-cross',
  summary: 'Holds the base currency while the fast average of closes is above the slow one.',
  parameters: z
    .object({
      symbol: z.string().default('BTCUSDT'),
      period: z.enum(['M1', 'M5', 'M15', 'H1']).default('M1'),
      fast: z.int().min(2).max(500).default(5).describe('candles'),
      slow: z.int().min(3).max(1000).default(10).describe('candles'),
      share: z.number().min(0).max(1).default(0.5).describe('share of equity held while up'),
    })
    .refine((p) => p.fast < p.slow, {
      path: ['slow'],
      message: 'expected more candles than fast has',
    }),
  run: ({ market, parameters: p }) =>
    market.candles(p.symbol, p.period).pipe(
      derive({ fast: ema(p.fast), slow: ema(p.slow) }), // silent until both are warm
      above('fast', 'slow'), // emitted once per cross; a tie is no cross
      map((up) => target(p.symbol, up ? p.share : 0)),
    ),
});
