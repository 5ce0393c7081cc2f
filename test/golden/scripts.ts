import { mergeMap, of } from 'rxjs';
import { z } from 'zod';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { oco, oto, otoco } from '../../src/strategy/lists.ts';
import { cancel, cancelAll, place, replace } from '../../src/strategy/orders.ts';
import { flat, quote, target } from '../../src/strategy/managed-orders.ts';
import { script } from './script.ts';

const S = 'BTCUSDT';

const market = (side: 'buy' | 'sell', lots: number): Command =>
  place(S, { type: 'market', side, lots });

/** Plain orders of every type and life, replaced and canceled, by their names. */
export const plainOrders = script([
  [
    1,
    () => [
      market('buy', 300),
      place(S, { type: 'market', side: 'buy', lots: 50_000, timeInForce: 'IOC' }),
    ],
  ],
  [
    2,
    (bid) => [
      place(S, {
        type: 'limit',
        side: 'buy',
        ticks: bid - 500,
        lots: 200,
        clientOrderId: 'resting-1',
      }),
    ],
  ],
  [
    3,
    (bid) => [
      place(S, {
        type: 'limit',
        side: 'buy',
        ticks: bid + 2_000,
        lots: 90_000,
        timeInForce: 'IOC',
      }),
    ],
  ],
  [
    4,
    (bid) => [
      place(S, { type: 'limit', side: 'sell', ticks: bid - 2_000, lots: 100, timeInForce: 'FOK' }),
    ],
  ],
  [
    5,
    (bid) => [
      place(S, { type: 'limit', side: 'sell', ticks: bid + 90_000, lots: 100, timeInForce: 'FOK' }),
    ],
  ],
  [
    6,
    (bid) => [
      place(S, { type: 'limit', side: 'buy', ticks: bid - 9_000, lots: 100, within: 5_000 }),
    ],
  ],
  [
    7,
    (bid) => [
      place(S, { type: 'limit', side: 'buy', ticks: bid + 5_000, lots: 100, postOnly: true }),
    ],
  ],
  [
    8,
    (bid) => [
      place(S, { type: 'limit', side: 'buy', ticks: bid - 300, lots: 100, postOnly: true }),
    ],
  ],
  [9, (bid) => [replace('resting-1', { ticks: bid - 200, newClientOrderId: 'resting-2' })]],
  [9, () => [replace('resting-1', { lots: 5 }), cancel('resting-1')]],
  [10, () => [replace('resting-2', { lots: 250, newClientOrderId: 'resting-3' })]],
  [12, () => [cancel('resting-3'), cancel('resting-3')]],
  [13, (bid) => [place(S, { type: 'stopMarket', side: 'sell', stopTicks: bid - 400, lots: 120 })]],
  [
    13,
    (bid) => [
      place(S, {
        type: 'stopLimit',
        side: 'buy',
        stopTicks: bid + 300,
        ticks: bid + 900,
        lots: 80,
      }),
    ],
  ],
  [
    14,
    (bid) => [
      place(S, {
        type: 'takeProfitMarket',
        side: 'sell',
        stopTicks: bid + 400,
        lots: 60,
        timeInForce: 'IOC',
      }),
    ],
  ],
  [
    14,
    (bid) => [
      place(S, {
        type: 'takeProfitLimit',
        side: 'sell',
        stopTicks: bid + 200,
        ticks: bid,
        lots: 40,
        within: 90_000,
      }),
    ],
  ],
  [15, (bid) => [place(S, { type: 'limit', side: 'sell', ticks: bid + 20, lots: 8_000 })]],
  [100, () => [cancelAll(S)]],
  [101, () => [market('sell', 999_999_999), market('sell', 0.5)]],
]);

/** Lists of every kind, some of which end by a fill and some by their cancel. */
export const lists = script([
  [
    1,
    (bid) => [
      oco(S, [
        { type: 'limit', side: 'sell', ticks: bid + 150, lots: 200 },
        { type: 'stopMarket', side: 'sell', stopTicks: bid - 300, lots: 200, timeInForce: 'IOC' },
      ]),
    ],
  ],
  [
    2,
    (bid) => [
      oto(S, [
        { type: 'limit', side: 'buy', ticks: bid + 200, lots: 100 },
        { type: 'limit', side: 'sell', ticks: bid + 400, lots: 100 },
      ]),
    ],
  ],
  [
    3,
    (bid) => [
      otoco(S, [
        { type: 'market', side: 'buy', lots: 150 },
        { type: 'limit', side: 'sell', ticks: bid + 300, lots: 150 },
        { type: 'stopLimit', side: 'sell', stopTicks: bid - 300, ticks: bid - 900, lots: 150 },
      ]),
    ],
  ],
  [
    4,
    (bid) => [
      bracket(S, {
        entry: { side: 'buy', type: 'stopLimit', stopTicks: bid + 100, ticks: bid + 500 },
        takeProfit: { ticks: bid + 800 },
        stopLoss: { stopTicks: bid - 500 },
        lots: 120,
        within: 60_000,
      }),
    ],
  ],
  [
    5,
    (bid) => [
      bracket(S, {
        entry: { side: 'buy', type: 'limit', ticks: bid - 100, clientOrderId: 'entry-01' },
        takeProfit: { ticks: bid + 900, clientOrderId: 'profit-01' },
        stopLoss: { stopTicks: bid - 900, clientOrderId: 'loss-0001' },
        lots: 20_000,
      }),
    ],
  ],
  [
    6,
    (bid) => [
      bracket(S, {
        entry: { side: 'buy', type: 'limit', ticks: bid },
        takeProfit: { ticks: bid - 900 },
        stopLoss: { stopTicks: bid - 950 },
        lots: 10,
      }),
    ],
  ],
  [7, () => [replace('profit-01', { lots: 100 }), cancel('loss-0001')]],
  [60, () => [cancel('entry-01')]],
  [90, () => [flat(S)]],
]);

/** Lists whose orders lose their protection: stops that must fill whole in a thin market. */
export const protection = script([
  [1, () => [market('buy', 4_000)]],
  [
    3,
    (bid) => [
      place(S, {
        type: 'stopMarket',
        side: 'sell',
        stopTicks: bid - 50,
        lots: 30_000,
        timeInForce: 'IOC',
      }),
    ],
  ],
  [
    4,
    (bid) => [
      bracket(S, {
        entry: { side: 'buy', type: 'market' },
        takeProfit: { ticks: bid + 5_000 },
        stopLoss: { type: 'stopLimit', stopTicks: bid - 80, ticks: bid + 500 },
        lots: 200,
      }),
    ],
  ],
  [
    5,
    (bid) => [
      oto(S, [
        { type: 'limit', side: 'buy', ticks: bid + 400, lots: 150 },
        { type: 'stopMarket', side: 'sell', stopTicks: bid - 100, lots: 150, timeInForce: 'FOK' },
      ]),
    ],
  ],
]);

/** Wishes of both kinds by turns. */
export const managed = script([
  [
    1,
    (bid) => [
      quote(S, { bid: { ticks: bid - 100, lots: 200 }, ask: { ticks: bid + 200, lots: 200 } }),
    ],
  ],
  [
    2,
    (bid) => [
      quote(S, { bid: { ticks: bid - 80, lots: 200 }, ask: { ticks: bid + 200, lots: 250 } }),
    ],
  ],
  [2, (bid) => [quote(S, { bid: { ticks: bid - 70, lots: 210 } })]],
  [8, (bid) => [quote(S, { ask: { ticks: bid - 5_000, lots: 100 } })]],
  [20, () => [target(S, 0.5)]],
  [22, () => [target(S, { lots: 100 }), target(S, 1.5)]],
  [30, (bid) => [place(S, { type: 'limit', side: 'buy', ticks: bid - 5_000, lots: 10 }), flat(S)]],
  [
    40,
    (bid) => [quote(S, { bid: { ticks: bid - 10, lots: 90 }, ask: { ticks: bid + 90, lots: 90 } })],
  ],
  [70, () => [quote(S, {}), target(S, 0.2)]],
  [71, () => [cancelAll()]],
  [72, () => [target(S, { lots: 77 }), flat(S)]],
]);

export const failing = defineStrategy({
  name: 'failing',
  summary: 'Trades a little and then throws.',
  parameters: z.object({}),
  run: ({ market: { trades } }) => {
    let count = 0;
    return trades(S).pipe(
      mergeMap(() => {
        count += 1;
        if (count === 25) throw new RangeError('twenty-five is too many');
        return count % 5 === 0 ? of(market('buy', count)) : [];
      }),
    );
  },
});
