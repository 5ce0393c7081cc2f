import { map } from 'rxjs';
import { above, defineStrategy, derive, ema, target, z } from 'millrace';

/** Short trends persist. Weak in a ranging market: every cross costs the spread and two fees. */
export default defineStrategy({
  name: 'my-strategy',
  summary: 'Holds a share of its equity while the fast average is above the slow one.',
  parameters: z
    .object({
      symbol: z.string().default('BTCUSDT'),
      period: z.enum(['M1', 'M5', 'M15', 'H1']).default('M1'),
      fast: z.int().min(2).max(500).default(5).describe('candles'),
      slow: z.int().min(3).max(1000).default(20).describe('candles'),
      share: z.number().min(0).max(1).default(0.5).describe('share of equity held'),
    })
    .refine((p) => p.fast < p.slow, { path: ['slow'], message: 'expected more candles than fast' }),
  run: ({ market, parameters: p }) =>
    market.candles(p.symbol, p.period).pipe(
      derive({ fast: ema(p.fast), slow: ema(p.slow) }), // silent until both averages are warm
      above('fast', 'slow'), // emits once per cross, true for up
      map((up) => target(p.symbol, up ? p.share : 0)),
    ),
});
