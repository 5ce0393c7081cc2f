import {
  concat,
  concatMap,
  filter,
  first,
  ignoreElements,
  map,
  merge,
  of,
  share,
  startWith,
  withLatestFrom,
  type Observable,
} from 'rxjs';
import {
  atr,
  bracket,
  cancel,
  defineStrategy,
  derive,
  highest,
  lowest,
  MARKETS,
  minutes,
  on,
  place,
  setMargin,
  z,
} from 'millrace';
import type { Account, OrderList, Where } from 'millrace';

/**
 * A price outside all of its recent range goes on for a while. One bracket waits at the edge of the
 * range: a stop order to get in, and behind it two exits that exclude each other. On spot it waits at the
 * top; on margin at the edge that the last close is nearer to, and sells short below the range. Loses in a market
 * without direction, where most breaks turn back into the range and each pays the spread, two fees
 * and the distance to its stop loss; and in a jump, which fills the entry late or in part and the
 * stop loss far beyond its price. What the account holds there it takes for its own.
 */
export default defineStrategy({
  name: 'breakout-bracket',
  summary: 'Trades the break of a range, with a take profit and a stop loss placed at once.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    market: z.enum(MARKETS).default('spot').describe('on margin it also sells short'),
    funds: z.string().default('5000').describe('money of the margin account'),
    leverage: z.number().min(1).default(2).describe('most leverage of an isolated margin account'),
    period: z.enum(['M1', 'M5', 'M15', 'H1']).default('M5'),
    length: z.int().min(1).max(500).default(12).describe('candles whose prices are the range'),
    atrLength: z.int().min(1).max(500).default(14).describe('candles of the average true range'),
    chase: z
      .number()
      .min(0)
      .default(0.5)
      .describe('average ranges beyond the break still to enter'),
    profit: z
      .number()
      .gt(0)
      .default(3)
      .describe('average ranges from the break to the take profit'),
    loss: z.number().gt(0).default(1.5).describe('average ranges from the break to the stop loss'),
    quantity: z.string().default('0.01').describe('base currency traded at each break'),
    patience: z.number().gt(0).default(240).describe('minutes after which an entry is given up'),
  }),
  run: ({ market, account, parameters: p }) => {
    const where = on(p.symbol, p.market);
    const levels$ = market.candles(p.symbol, p.period).pipe(
      derive({ high: highest(p.length), low: lowest(p.length), range: atr(p.atrLength) }),
      map(({ event, high, low, range }) => {
        const isShort = p.market !== 'spot' && event.closeTicks - low < high - event.closeTicks;
        const [edge, sign] = isShort ? [low, -1] : [high, 1];
        const beyond = (ranges: number): number => Math.max(1, Math.round(range * ranges));
        return {
          side: isShort ? ('sell' as const) : ('buy' as const),
          stopTicks: edge,
          ticks: Math.max(1, edge + sign * Math.round(range * p.chase)),
          profitTicks: Math.max(1, edge + sign * beyond(p.profit)),
          lossTicks: Math.max(1, edge - sign * beyond(p.loss)),
        };
      }),
      share(),
    );
    const list$ = account.lists(p.symbol);
    const held$ = heldAt(account, where);

    const enter = ({ side, stopTicks, ticks, profitTicks, lossTicks }: Levels) =>
      bracket(where, {
        entry: { side, type: 'stopLimit', stopTicks, ticks },
        takeProfit: { ticks: profitTicks },
        stopLoss: { stopTicks: lossTicks },
        quantity: p.quantity,
        within: minutes(p.patience),
      });
    /** What an entry that was not finished left behind stands without a stop loss. */
    const leave = (lots: number) => {
      const order = { type: 'market', lots: Math.abs(lots), timeInForce: 'IOC' } as const;
      return typeof where === 'string'
        ? place(where, { ...order, side: 'sell' })
        : place(where, { ...order, side: lots > 0 ? 'sell' : 'buy', reduceOnly: true });
    };
    const isHeld = (lots: number): boolean => (p.market === 'spot' ? lots > 0 : lots !== 0);

    const onCandle$ = levels$.pipe(
      withLatestFrom(list$.pipe(startWith(undefined)), held$),
      concatMap(([levels, list, held]) => {
        if (list?.active !== true) return [isHeld(held) ? leave(held) : enter(levels)];
        const [entry] = list.orders;
        const isBehind =
          entry.status === 'suspended' &&
          (entry.stopTicks !== levels.stopTicks || entry.side !== levels.side);
        return isBehind ? [cancel(entry.clientOrderId)] : []; // its end leads to the next one
      }),
    );
    const onEnd$ = list$.pipe(
      filter((list) => !list.active),
      withLatestFrom(levels$, held$),
      concatMap(([list, levels, held]) => {
        // On margin the position is emitted after the orders, and what they have left is known before it.
        const left = p.market === 'spot' ? held : leftBy(list);
        if (isHeld(left)) return [leave(left)];
        return wasInVain(list) ? [enter(levels)] : []; // after a trade wait for a new range
      }),
    );
    const trades$ = merge(onCandle$, onEnd$);
    if (typeof where === 'string') return trades$;
    const ready$ = account.margin(where).pipe(first(({ state }) => state === 'normal'));
    // A cross account takes the leverage of its symbols where none is given.
    const leverage = p.market === 'isolated' ? { leverage: p.leverage } : {};
    return concat(
      of(setMargin(where, { balance: p.funds, ...leverage })),
      ready$.pipe(ignoreElements()),
      trades$,
    );
  },
});

interface Levels {
  readonly side: 'buy' | 'sell';
  readonly stopTicks: number;
  readonly ticks: number;
  readonly profitTicks: number;
  readonly lossTicks: number;
}

const heldAt = (account: Account, where: Where): Observable<number> =>
  typeof where === 'string'
    ? account.position(where).pipe(map(({ lots }) => lots))
    : account.position(where).pipe(map(({ lots }) => lots));

/** Lots that an ended bracket has entered and not left again, negative for a short. */
const leftBy = ({ orders: [entry, ...exits] }: OrderList): number =>
  (entry.side === 'buy' ? 1 : -1) *
  exits.reduce<number>((left, exit) => left - exit.filledLots, entry.filledLots);

/** True when the entry was withdrawn or given up before anything was traded. */
const wasInVain = ({ orders: [entry] }: OrderList): boolean =>
  entry.filledLots === 0 && (entry.status === 'canceled' || entry.status === 'expired');
