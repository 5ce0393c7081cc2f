import { map, merge, take, tap, ignoreElements } from 'rxjs';
import {
  amount,
  dca,
  defineStrategy,
  grid,
  iceberg,
  minutes,
  quantity,
  rate,
  twap,
  vwap,
  z,
} from 'millrace';

/**
 * Has no opinion on the market: it shows each algo order at work. `twap` and `vwap` buy over a time, `iceberg`
 * at a price, `dca` buys for a value again and again, and `grid` trades around the price. The first three pay
 * for less impact with the risk that the price runs away; a grid loses in a trend, and a dca in a long fall.
 */
export default defineStrategy({
  name: 'algo-orders',
  summary: 'Works one algo order: a TWAP, a VWAP, an iceberg, a DCA or a grid.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    kind: z.enum(['twap', 'vwap', 'iceberg', 'dca', 'grid']).default('twap'),
    id: z.string().default('work-0001').describe('another one for each algo order'),
    quantity: z.string().default('0.01').describe('to buy in all; of a grid at each level'),
    visible: z.string().default('0.001').describe('what an iceberg shows'),
    value: z.string().default('100').describe('what each purchase of a dca is worth'),
    slices: z.int().min(1).default(12).describe('orders of a twap and a vwap, purchases of a dca'),
    minutes: z.number().gt(0).default(60).describe('over which it buys'),
    levels: z.int().min(2).default(9).describe('prices of a grid'),
    width: z.number().gt(0).lt(1).default(0.02).describe('of a grid, to both sides of the price'),
  }),
  run: ({ market, account, log, parameters: p }) => {
    const reported$ = account.algoOrders().pipe(
      tap(({ id, status, bought, sold, slippage }) => {
        const cost = slippage === undefined ? '' : `, ${slippage.toFixed()} worse than at arrival`;
        log.info(`${id} is ${status}: ${bought.lots} lots bought, ${sold.lots} sold${cost}`);
      }),
      ignoreElements(),
    );
    const over = { over: minutes(p.minutes), slices: p.slices };
    const buy = { id: p.id, side: 'buy', quantity: p.quantity } as const;
    const begun$ = market.candles(p.symbol, 'M1').pipe(
      take(1),
      map(({ close, closeTicks }) => {
        const aside = Math.round(closeTicks * p.width);
        switch (p.kind) {
          case 'twap':
            return twap(p.symbol, { ...buy, ...over, jitter: 0.5, atEnd: 'market' });
          case 'vwap':
            return vwap(p.symbol, { ...buy, ...over, participation: rate('0.2') });
          case 'iceberg':
            return iceberg(p.symbol, {
              ...buy,
              price: close,
              visibleQuantity: quantity(p.visible),
            });
          case 'dca':
            return dca(p.symbol, {
              id: p.id,
              value: amount(p.value),
              max: p.slices,
              every: minutes(p.minutes / p.slices),
              takeProfit: rate('0.01'),
            });
          case 'grid':
            return grid(p.symbol, {
              id: p.id,
              quantity: p.quantity,
              levels: p.levels,
              spacing: 'geometric',
              lowTicks: closeTicks - aside,
              highTicks: closeTicks + aside,
            });
        }
      }),
    );
    return merge(reported$, begun$);
  },
});
