import { map, take } from 'rxjs';
import { backtest } from 'millrace/backtest';
import { defineStrategy, target, z } from 'millrace';

// A strategy without a file of its own, with two values of its parameter.

const holder = defineStrategy({
  name: 'holder',
  summary: 'Buys at the first trade and holds.',
  parameters: z.object({ share: z.number().min(0).max(1).default(0.5) }),
  run: ({ market, parameters: p }) =>
    market.trades('BTCUSDT').pipe(
      take(1),
      map(() => target('BTCUSDT', p.share)),
    ),
});

for (const share of [0.25, 0.5]) {
  const { metrics } = await backtest({
    strategy: holder,
    parameters: { share },
    recordings: ['config/sample/BTCUSDT.arrow'],
    balances: { USDT: '10000' },
  });
  console.log(share, metrics.profit);
}
