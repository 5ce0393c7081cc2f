import { map, merge, mergeMap, of, take, tap, filter, ignoreElements } from 'rxjs';
import { z } from 'zod';
import { iceberg, twap } from '../../../src/strategy/algo-orders.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import { defineStrategy } from '../../../src/strategy/define.ts';
import { seconds } from '../../../src/strategy/durations.ts';
import { place } from '../../../src/strategy/orders.ts';
import { sizeOf } from '../../kit/size.ts';

/** What its algo orders trade, in lots. */
export const WORKED = { twap: 997, iceberg: 403 } as const;

/** Gives the same algo orders at each start, and in its first life a stop that trails; says when they are done. */
export const worker = defineStrategy({
  name: 'worker',
  summary: 'Works algo orders, for trials.',
  parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
  run: ({ market, account, log, parameters: { symbol } }) => {
    const over = seconds(3 * sizeOf('MILLRACE_KILLS', 4, 50));
    let hasStop = false;
    const done = account.algoOrders().pipe(
      filter(({ endedAt }) => endedAt !== undefined),
      tap(({ id, status, bought, sold }) => {
        log.warn(`algo ${id} ${status} ${bought.lots} ${sold.lots}`);
      }),
      ignoreElements(),
    );
    const stops = account.orders(symbol).pipe(
      tap(({ stopTicks }) => (hasStop ||= stopTicks !== undefined)),
      ignoreElements(),
    );
    const commands = market.bbo(symbol).pipe(
      filter(({ bidTicks, askTicks }) => !Number.isNaN(bidTicks + askTicks)),
      take(1),
      map(({ bidTicks }): readonly Command[] => [
        twap(symbol, {
          id: 'twap-0001',
          side: 'buy',
          lots: WORKED.twap,
          over,
          slices: 50,
          atEnd: 'market',
        }),
        iceberg(symbol, {
          id: 'berg-0001',
          side: 'sell',
          lots: WORKED.iceberg,
          visibleLots: 20,
          ticks: Math.floor(bidTicks / 2),
        }),
        ...(hasStop ? [] : [trailing(symbol, bidTicks)]),
      ]),
      mergeMap((all) => of(...all)),
    );
    return merge(done, stops, commands);
  },
});

/** Far below the market, so that it only follows. */
const trailing = (symbol: string, bidTicks: number): Command =>
  place(symbol, {
    type: 'stopMarket',
    side: 'sell',
    stopTicks: Math.floor(bidTicks / 3),
    lots: 1,
    trail: { ticks: Math.floor(bidTicks / 2), step: 2 },
  });
