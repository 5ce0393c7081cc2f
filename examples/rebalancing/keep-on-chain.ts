/** Keeps an amount on a chain and the rest at the account, without market data. */
import { map, timer } from 'rxjs';
import { defineStrategy, rebalance, seconds, z } from 'millrace';

export default defineStrategy({
  name: 'keep-on-chain',
  summary: 'Keeps an amount on a chain, and the rest at the account.',
  parameters: z.object({
    asset: z.string().default('USDC'),
    amount: z.string().default('5000').describe('held on Ethereum, in units of the asset'),
    band: z.string().default('250').describe('units that it may be off'),
    everySeconds: z.int().min(1).default(60).describe('seconds between looks'),
  }),
  run: ({ parameters: p }) =>
    timer(0, seconds(p.everySeconds)).pipe(
      map(() =>
        rebalance({
          [`${p.asset}@ethereum`]: { amount: p.amount, band: p.band },
          [`${p.asset}@trading`]: { weight: '1', band: '0' },
        }),
      ),
    ),
});
