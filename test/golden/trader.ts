import { merge, mergeMap, tap, timer, ignoreElements, type Observable } from 'rxjs';
import { z } from 'zod';
import { Random } from '../../src/platform/random.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Order } from '../../src/model/order.ts';
import type { Context } from '../../src/strategy/context.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { seconds } from '../../src/strategy/durations.ts';
import { aon, oco, oto, otoco } from '../../src/strategy/lists.ts';
import { quantity } from '../../src/strategy/numbers.ts';
import { cancel, cancelAll, place, replace } from '../../src/strategy/orders.ts';
import { flat, quote, target } from '../../src/strategy/managed-orders.ts';

/** What a draw is made from. */
interface Draw {
  readonly random: Random;
  readonly symbol: string;
  readonly symbols: readonly string[];
  readonly last: ReadonlyMap<string, number>;
  readonly price: number;
  readonly reach: number;
  readonly lots: number;
  readonly side: 'buy' | 'sell';
  /** Open orders of the symbol that no managed order owns. */
  readonly open: readonly Order[];
}

type Drawn = (draw: Draw) => readonly Command[];

/** A price on the side's own half of the market, or now and then beyond it. */
const away = ({ random, price, reach, side }: Draw, far = 1): number => {
  const distance = random.integer(random.chance(0.2) ? -reach : 0, far * reach);
  return side === 'buy' ? price - distance : price + distance;
};

/** A price that a trade reaches from here against (1) or with (-1) a holder of the other side. */
const beyond = ({ random, price, reach, side }: Draw, against: 1 | -1): number =>
  price + (side === 'buy' ? against : -against) * random.integer(0, 2 * reach);

const opposite = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy');

const LIVES = ['IOC', 'FOK', 'GTC', 'Day'] as const;

const PLAIN: readonly Drawn[] = [
  ({ symbol, side, lots }) => [place(symbol, { type: 'market', side, lots })],
  ({ symbol, side, lots }) => [place(symbol, { type: 'market', side, lots, timeInForce: 'IOC' })],
  (draw) => {
    const { symbol, side, lots } = draw;
    return [place(symbol, { type: 'limit', side, lots, ticks: away(draw) })];
  },
  (draw) => {
    const { symbol, side, lots, random } = draw;
    const timeInForce = LIVES[random.integer(0, 3)];
    return [place(symbol, { type: 'limit', side, lots, ticks: away(draw), timeInForce })];
  },
  (draw) => {
    const { symbol, side, lots, random } = draw;
    const within = seconds(random.integer(1, 60));
    return [place(symbol, { type: 'limit', side, lots, ticks: away(draw), within })];
  },
  (draw) => {
    const { symbol, side, lots } = draw;
    return [place(symbol, { type: 'limit', side, lots, ticks: away(draw), postOnly: true })];
  },
  (draw) => {
    const { symbol, side, lots, random } = draw;
    const stop = { side, lots, stopTicks: beyond(draw, 1) };
    return random.chance(0.5)
      ? [place(symbol, { type: 'stopMarket', timeInForce: 'IOC', ...stop })]
      : [place(symbol, { type: 'stopLimit', ticks: away(draw), ...stop })];
  },
  (draw) => {
    const { symbol, side, lots, random } = draw;
    const stop = { side, lots, stopTicks: beyond(draw, -1) };
    return random.chance(0.5)
      ? [place(symbol, { type: 'takeProfitMarket', ...stop })]
      : [place(symbol, { type: 'takeProfitLimit', ticks: away(draw), ...stop })];
  },
];

const CHANGES: readonly Drawn[] = [
  (draw) => {
    const { open, random } = draw;
    if (open.length === 0) return [];
    const { clientOrderId, side, type } = open[random.integer(0, open.length - 1)];
    if (!type.endsWith('imit')) return [replace(clientOrderId, { lots: draw.lots })];
    const ticks = away({ ...draw, side });
    return [replace(clientOrderId, random.chance(0.5) ? { ticks } : { ticks, lots: draw.lots })];
  },
  ({ open, random }) =>
    open.length === 0 ? [] : [cancel(open[random.integer(0, open.length - 1)].clientOrderId)],
  ({ open }) => open.slice(0, 2).map(({ clientOrderId }) => cancel(clientOrderId)),
  ({ symbol, random }) => (random.chance(0.3) ? [cancelAll(symbol)] : []),
];

const LISTS: readonly Drawn[] = [
  (draw) => {
    const { symbol, side, lots } = draw;
    const limit = { type: 'limit', side, lots, ticks: away(draw) } as const;
    const stopTicks = beyond(draw, 1);
    return [
      oco(symbol, [limit, { type: 'stopMarket', side, lots, stopTicks, timeInForce: 'IOC' }]),
    ];
  },
  (draw) => {
    const { symbol, side, lots } = draw;
    const exit = { ...draw, side: opposite(side) };
    return [
      oto(symbol, [
        { type: 'limit', side, lots, ticks: away(draw) },
        { type: 'limit', side: exit.side, lots, ticks: away(exit) },
      ]),
    ];
  },
  (draw) => {
    const { symbol, side, lots } = draw;
    const exit = { ...draw, side: opposite(side) };
    const leg = { side: exit.side, lots };
    return [
      otoco(symbol, [
        { type: 'market', side, lots },
        { type: 'limit', ticks: away(exit), ...leg },
        { type: 'stopLimit', stopTicks: beyond(exit, 1), ticks: away(exit), ...leg },
      ]),
    ];
  },
  (draw) => {
    const { symbol, side, lots, random, price, reach } = draw;
    const sign = side === 'buy' ? 1 : -1;
    const ticks = away(draw);
    const entry = random.chance(0.5)
      ? ({ side, type: 'limit', ticks } as const)
      : ({ side, type: 'stopMarket', stopTicks: price + sign * random.integer(0, reach) } as const);
    const takeProfit = { ticks: price + sign * 3 * reach };
    const stopLoss = { stopTicks: price - sign * 3 * reach };
    return [bracket(symbol, { entry, takeProfit, stopLoss, lots, within: seconds(40) })];
  },
  ({ symbols, last, lots, side, random, reach }) => {
    const [first, second] = symbols;
    if (second === undefined) return [];
    const price = last.get(second) ?? 1;
    const shift = random.integer(-reach, reach);
    const ticks = Math.max(1, side === 'buy' ? price + shift : price - shift);
    return [
      aon([
        { symbol: first, type: 'market', side, lots },
        { symbol: second, type: 'limit', side, lots, ticks },
      ]),
    ];
  },
];

const MANAGED: readonly Drawn[] = [
  ({ symbol, random, price, reach, lots }) => [
    quote(symbol, {
      bid: { ticks: price - random.integer(1, reach), lots },
      ask: { ticks: price + random.integer(1, reach), lots: random.chance(0.2) ? 0 : lots },
    }),
  ],
  ({ symbol, random }) => [target(symbol, random.integer(0, 10) / 10)],
  ({ symbol, lots }) => [target(symbol, { lots })],
  ({ symbol }) => [flat(symbol)],
  ({ symbol }) => [quote(symbol, {})],
];

const WRONG: readonly Drawn[] = [
  ({ symbol, side }) => [place(symbol, { type: 'market', side, lots: 900_000_000 })],
  ({ symbol, side, price }) => [
    place(symbol, { type: 'limit', side, ticks: price, quantity: quantity('0.0000001') }),
  ],
  () => [cancel('nobody-0001'), replace('nobody-0002', { lots: 3 })],
  ({ symbol, side, price, lots }) => [
    place(symbol, { type: 'limit', side, lots, ticks: price + 0.5 }),
  ],
  ({ symbol, side, lots, open }) => {
    const clientOrderId = open.at(0)?.clientOrderId ?? 'taken-0001';
    return [place(symbol, { type: 'market', side, lots, clientOrderId })];
  },
];

/** What may be drawn, and the share of each. */
export type Repertoire = Partial<Record<keyof typeof DRAWN, number>>;

const DRAWN = { plain: PLAIN, changes: CHANGES, lists: LISTS, managed: MANAGED, wrong: WRONG };

export interface TraderOptions {
  readonly symbols?: readonly string[];
  /** Where the last price comes from. */
  readonly prices?: 'top' | 'trades' | 'candles';
  readonly everyMs?: number;
  readonly seed?: number;
  /** How far from the market prices are drawn, in ticks. */
  readonly reach?: number;
  readonly lotsMax?: number;
  readonly repertoire?: Repertoire;
}

/** Commands of every kind by chance, the same ones for the same seed and the same market and answers. */
export function trader(options: TraderOptions = {}): Strategy {
  const { symbols = ['BTCUSDT'], prices = 'top', everyMs = 1_000 } = options;
  const { seed = 1, reach = 300, lotsMax = 900 } = options;
  const { repertoire = { plain: 5, changes: 3, lists: 2, managed: 1, wrong: 1 } } = options;
  const chosen = Object.entries(repertoire).flatMap(([name, share]) =>
    Array.from({ length: share }, () => DRAWN[name as keyof typeof DRAWN]),
  );
  return defineStrategy({
    name: 'trader',
    summary: 'Trades by chance.',
    parameters: z.object({}),
    run: (context) => {
      const random = new Random(seed);
      const last = new Map<string, number>();
      const open = new Map<string, Order>();
      const decide = (): readonly Command[] => {
        const symbol = symbols[random.integer(0, symbols.length - 1)];
        const price = last.get(symbol);
        if (price === undefined) return [];
        const drawn = chosen[random.integer(0, chosen.length - 1)];
        const own = [...open.values()].filter((order) => order.symbol === symbol && !order.managed);
        const side = random.chance(0.5) ? 'buy' : 'sell';
        const lots = random.integer(1, lotsMax);
        const draw: Draw = { random, symbol, symbols, last, price, reach, side, lots, open: own };
        return drawn[random.integer(0, drawn.length - 1)](draw);
      };
      return merge(
        ...symbols.map((symbol) => lastPrices(context, symbol, prices, last)),
        context.account.orders().pipe(
          tap((order) => {
            if (ENDED.has(order.status)) open.delete(order.clientOrderId);
            else open.set(order.clientOrderId, order);
          }),
          ignoreElements(),
        ),
        timer(0, everyMs).pipe(mergeMap(decide)),
      );
    },
  });
}

const ENDED: ReadonlySet<string> = new Set(['filled', 'canceled', 'expired', 'rejected']);

function lastPrices(
  { market }: Context<unknown>,
  symbol: string,
  prices: 'top' | 'trades' | 'candles',
  last: Map<string, number>,
): Observable<never> {
  const note = (ticks: number): void => {
    if (Number.isFinite(ticks)) last.set(symbol, ticks);
  };
  switch (prices) {
    case 'top':
      return market.bbo(symbol).pipe(
        tap(({ bidTicks }) => note(bidTicks)),
        ignoreElements(),
      );
    case 'trades':
      return market.trades(symbol).pipe(
        tap(({ ticks }) => note(ticks)),
        ignoreElements(),
      );
    case 'candles':
      return market.candles(symbol, 'M1').pipe(
        tap(({ closeTicks }) => note(closeTicks)),
        ignoreElements(),
      );
  }
}
