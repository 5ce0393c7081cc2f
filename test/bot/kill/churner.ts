import { auditTime, concatMap, from, ignoreElements, merge, of, tap } from 'rxjs';
import { z } from 'zod';
import type { Command } from '../../../src/strategy/commands.ts';
import type { BestBidOffer } from '../../../src/strategy/context.ts';
import { defineStrategy } from '../../../src/strategy/define.ts';
import { oco } from '../../../src/strategy/lists.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { amount } from '../../../src/strategy/numbers.ts';
import { MARKETS, on } from '../../../src/strategy/where.ts';
import { cancel, place, replace } from '../../../src/strategy/orders.ts';
import { quote, target } from '../../../src/strategy/managed-orders.ts';

/** A source of chance of its own: the constants of Numerical Recipes. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const OPEN_MAX = 12;

/** Places, replaces and cancels all kinds of orders without end or sense, as fast as it is told. */
export const churner = defineStrategy({
  name: 'churner',
  summary: 'Places, replaces and cancels orders by chance, for trials.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    seed: z.int().default(1),
    everyMs: z.int().min(1).default(10).describe('milliseconds'),
    lots: z.int().min(1).default(100),
    on: z.enum(MARKETS).default('spot').describe('where it trades'),
    funds: z.int().min(1).default(50_000).describe('of its margin account'),
  }),
  run: ({ market, account, parameters: p }) => {
    const where = on(p.symbol, p.on);
    const below = chance(p.seed);
    const open = new Map<string, number>();
    const look = account.orders(p.symbol).pipe(
      tap(({ clientOrderId, status, managed, lots }) => {
        const isOpen = status === 'new' || status === 'partiallyFilled';
        if (isOpen && !managed) open.set(clientOrderId, lots);
        else open.delete(clientOrderId);
      }),
      ignoreElements(),
    );
    const any = (): string | undefined => [...open.keys()][below(Math.max(1, open.size))];
    const command = ({ bidTicks, askTicks }: BestBidOffer): readonly Command[] => {
      const side = below(2) === 0 ? 'buy' : 'sell';
      const lots = 1 + below(p.lots);
      const near = (side === 'buy' ? bidTicks : askTicks) + below(41) - 20;
      const id = any();
      const kind = below(10);
      if (open.size >= OPEN_MAX && id !== undefined) return [cancel(id)];
      if (kind < 4) return [place(where, { type: 'limit', side, lots, ticks: near })];
      if (kind === 4) return [place(where, { type: 'market', side, lots })];
      if (kind === 5 && id !== undefined) return [cancel(id)];
      if (kind === 6 && id !== undefined) {
        return [replace(id, { lots: (open.get(id) ?? 1) + 1, ticks: near })];
      }
      if (kind === 7) {
        return [
          oco(where, [
            { side: 'sell', type: 'limit', lots, ticks: askTicks + 30 },
            { side: 'sell', type: 'stopMarket', lots, stopTicks: bidTicks - 30 },
          ]),
        ];
      }
      if (kind === 8) {
        return [
          quote(where, {
            bid: { ticks: bidTicks - 5, lots },
            ask: { ticks: askTicks + 5, lots },
          }),
        ];
      }
      if (typeof where === 'string') return [target(where, { lots: below(50 * p.lots) })];
      const funds = amount(String(p.funds + below(p.funds)));
      if (below(4) === 0) return [setMargin(where, { balance: funds })];
      if (below(4) === 0) return [place(where, { type: 'market', side, lots, reduceOnly: true })];
      return [target(where, { lots: below(100 * p.lots) - 50 * p.lots })];
    };
    const funded =
      typeof where === 'string' ? of() : of(setMargin(where, { balance: amount(String(p.funds)) }));
    const commands = market.bbo(p.symbol).pipe(
      auditTime(p.everyMs),
      concatMap((top) =>
        from(top.stale || Number.isNaN(top.bidTicks + top.askTicks) ? [] : command(top)),
      ),
    );
    return merge(look, funded, commands);
  },
});
