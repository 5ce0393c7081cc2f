import { concatMap, filter, map, merge, share, startWith, withLatestFrom } from 'rxjs';
import { atr, bracket, cancel, defineStrategy, derive, highest, minutes, place, z } from 'millrace';
import type { OrderList } from 'millrace';

/**
 * A price above all of its recent range goes on for a while. One bracket waits at the top of the
 * range: a stop order to get in, and behind it two exits that exclude each other. Loses in a market
 * without direction, where most breaks turn back into the range and each pays the spread, two fees
 * and the distance to its stop loss; and in a jump, which fills the entry late or in part and the
 * stop loss far below its price. What the account holds of the base currency it takes for its own.
 */
export default defineStrategy({
  name: 'breakout-bracket',
  summary: 'Buys the break of a range, with a take profit and a stop loss placed at once.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    period: z.enum(['M1', 'M5', 'M15', 'H1']).default('M5'),
    length: z
      .int()
      .min(1)
      .max(500)
      .default(12)
      .describe('candles whose highest price is the range'),
    atrLength: z.int().min(1).max(500).default(14).describe('candles of the average true range'),
    chase: z.number().min(0).default(0.5).describe('average ranges above the break still to buy'),
    profit: z
      .number()
      .gt(0)
      .default(3)
      .describe('average ranges from the break to the take profit'),
    loss: z.number().gt(0).default(1.5).describe('average ranges from the break to the stop loss'),
    lots: z.int().min(1).default(1_000).describe('lots bought at each break'),
    patience: z.number().gt(0).default(240).describe('minutes after which an entry is given up'),
  }),
  run: ({ market, account, parameters: p }) => {
    const levels$ = market.candles(p.symbol, p.period).pipe(
      derive({ high: highest(p.length), range: atr(p.atrLength) }),
      map(({ high, range }) => {
        const away = (ranges: number): number => Math.max(1, Math.round(range * ranges));
        return {
          stopTicks: high,
          ticks: high + Math.round(range * p.chase),
          profitTicks: high + away(p.profit),
          lossTicks: Math.max(1, high - away(p.loss)),
        };
      }),
      share(),
    );
    const list$ = account.lists(p.symbol);
    const held$ = account.position(p.symbol).pipe(map(({ lots }) => lots));

    const enter = ({ stopTicks, ticks, profitTicks, lossTicks }: Levels) =>
      bracket(p.symbol, {
        entry: { side: 'buy', type: 'stopLimit', stopTicks, ticks },
        takeProfit: { ticks: profitTicks },
        stopLoss: { stopTicks: lossTicks },
        lots: p.lots,
        within: minutes(p.patience),
      });
    /** What an entry that was not finished left behind stands without a stop loss. */
    const leave = (lots: number) =>
      place(p.symbol, { type: 'market', side: 'sell', lots, timeInForce: 'IOC' });

    const onCandle$ = levels$.pipe(
      withLatestFrom(list$.pipe(startWith(undefined)), held$),
      concatMap(([levels, list, held]) => {
        if (list?.active !== true) return [held > 0 ? leave(held) : enter(levels)];
        const [entry] = list.orders;
        const isBehind = entry.status === 'suspended' && entry.stopTicks !== levels.stopTicks;
        return isBehind ? [cancel(entry.clientOrderId)] : []; // its end leads to the next one
      }),
    );
    const onEnd$ = list$.pipe(
      filter((list) => !list.active),
      withLatestFrom(levels$, held$),
      concatMap(([list, levels, held]) => {
        if (held > 0) return [leave(held)];
        return wasInVain(list) ? [enter(levels)] : []; // after a trade wait for a new range
      }),
    );
    return merge(onCandle$, onEnd$);
  },
});

interface Levels {
  readonly stopTicks: number;
  readonly ticks: number;
  readonly profitTicks: number;
  readonly lossTicks: number;
}

/** True when the entry was withdrawn or given up before anything was bought. */
const wasInVain = ({ orders: [entry] }: OrderList): boolean =>
  entry.executedLots === 0 && (entry.status === 'canceled' || entry.status === 'expired');
