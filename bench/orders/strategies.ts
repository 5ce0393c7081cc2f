import { EMPTY, filter, from, map, merge, mergeMap, of } from 'rxjs';
import { z } from 'zod';
import type { Command } from '../../src/strategy/commands.ts';
import type { Trade } from '../../src/strategy/context.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { cancel, place } from '../../src/strategy/orders.ts';
import { quote } from '../../src/strategy/managed-orders.ts';
import { FAR, LOTS, quoteAt, restingId, type Pattern, type What } from './requests.ts';

const COMMANDS: Readonly<
  Record<Exclude<What, 'nothing'>, (symbol: string, trade: Trade, turn: number) => Command>
> = {
  market: (symbol, _, turn) =>
    place(symbol, { type: 'market', side: turn % 2 === 0 ? 'buy' : 'sell', lots: LOTS }),
  limit: (symbol, { ticks }, turn) =>
    turn % 2 === 0
      ? place(symbol, {
          type: 'limit',
          side: 'buy',
          ticks: ticks - FAR,
          lots: LOTS,
          clientOrderId: restingId(turn),
        })
      : cancel(restingId(turn)),
  quote: (symbol, { ticks }, turn) => {
    const [bid, ask] = quoteAt(ticks, turn);
    return quote(symbol, { bid: { ticks: bid, lots: LOTS }, ask: { ticks: ask, lots: LOTS } });
  },
};

/** Answers every so many trades with a command, and the trades between with nothing. */
export const asking = ({ what, every }: Pattern, symbols: readonly string[]): Strategy =>
  defineStrategy({
    name: 'asking',
    summary: 'Asks for the same again and again.',
    parameters: z.object({}),
    run: ({ market }) => {
      let trades = 0;
      let turn = 0;
      return merge(
        ...symbols.map((symbol) =>
          market.trades(symbol).pipe(
            filter(() => (trades += 1) % every === 0),
            mergeMap((trade) =>
              what === 'nothing' ? EMPTY : of(COMMANDS[what](symbol, trade, turn++)),
            ),
          ),
        ),
      );
    },
  });

/** Looks at every message of the book and every trade, and never finds a reason to trade. */
export const watching = (symbol: string): Strategy =>
  defineStrategy({
    name: 'watching',
    summary: 'Listens to book and trades and asks for nothing.',
    parameters: z.object({}),
    run: ({ market }) =>
      merge(
        market.book(symbol).pipe(map((book) => book.lotsAt('buy', 0) - book.lotsAt('sell', 0))),
        market.trades(symbol).pipe(map((trade) => trade.lots)),
      ).pipe(
        filter((lots) => lots === Number.MAX_SAFE_INTEGER),
        mergeMap(() => from<readonly Command[]>([])),
      ),
  });
