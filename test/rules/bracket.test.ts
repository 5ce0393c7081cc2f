import { describe, expect, test } from 'vitest';
import type { Side } from '../../src/model/order.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { bracketRefusal } from '../../src/rules/bracket.ts';
import type { ListedOrder } from '../../src/rules/order-list.ts';
import { instrumentOf } from '../kit/instruments.ts';

const INSTRUMENT = instrumentOf();

type Prices = Partial<Pick<ListedOrder, 'type'>> & {
  readonly at?: number;
  readonly stop?: number;
};

const order = (side: Side, { type = 'limit', at, stop }: Prices): ListedOrder => ({
  symbol: 'BTCUSDT',
  clientOrderId: 'order-01',
  side,
  type,
  timeInForce: 'GTC',
  lots: lots(1),
  postOnly: false,
  ...(at === undefined ? {} : { ticks: ticks(at) }),
  ...(stop === undefined ? {} : { stopTicks: ticks(stop) }),
});

const refusal = (side: Side, entry: Prices, profit: Prices, loss: Prices) => {
  const exit = side === 'buy' ? 'sell' : 'buy';
  return bracketRefusal([order(side, entry), order(exit, profit), order(exit, loss)], INSTRUMENT);
};

describe('the prices of a bracket', () => {
  test.each<[string, Side, Prices, Prices, Prices]>([
    ['a buy', 'buy', { at: 100 }, { at: 101 }, { stop: 99 }],
    ['a sell', 'sell', { at: 100 }, { at: 99 }, { stop: 101 }],
    ['an entry that waits', 'buy', { stop: 100, at: 110 }, { at: 105 }, { stop: 99 }],
    ['exits that wait', 'buy', { at: 100 }, { stop: 101, at: 90 }, { stop: 99, at: 120 }],
    ['a market entry', 'buy', { type: 'market' }, { at: 101 }, { stop: 100 }],
    ['a market sell', 'sell', { type: 'market' }, { at: 100 }, { stop: 101 }],
    ['exits without prices, which other rules refuse', 'buy', { at: 100 }, {}, {}],
  ])('stand on their sides of %s', (_, side, entry, profit, loss) => {
    expect(refusal(side, entry, profit, loss)).toBeUndefined();
  });

  test.each<[string, Side, Prices, Prices, Prices, string, string]>([
    [
      'a stop loss above a buy',
      'buy',
      { at: 100 },
      { at: 120 },
      { stop: 110 },
      'orders[2].stopPrice',
      'The stop loss is at 1.1 and must be below the entry at 1, as the entry is a buy; move it there, or sell to enter.',
    ],
    [
      'a stop loss at the entry',
      'buy',
      { at: 100 },
      { at: 120 },
      { stop: 100 },
      'orders[2].stopPrice',
      'The stop loss is at 1 and must be below the entry at 1',
    ],
    [
      'a take profit below a buy',
      'buy',
      { at: 100 },
      { at: 90 },
      { stop: 80 },
      'orders[1].price',
      'The take profit is at 0.9 and must be above the entry at 1',
    ],
    [
      'a take profit that waits below it',
      'buy',
      { stop: 100, at: 90 },
      { stop: 95, at: 200 },
      { stop: 80 },
      'orders[1].stopPrice',
      'The take profit is at 0.95 and must be above the entry at 1',
    ],
    [
      'a stop loss below a sell',
      'sell',
      { at: 100 },
      { at: 80 },
      { stop: 90 },
      'orders[2].stopPrice',
      'must be above the entry at 1, as the entry is a sell; move it there, or buy',
    ],
    [
      'a take profit above a sell',
      'sell',
      { at: 100 },
      { at: 110 },
      { stop: 120 },
      'orders[1].price',
      'The take profit is at 1.1 and must be below the entry at 1',
    ],
    [
      'exits of a market entry that are crossed',
      'buy',
      { type: 'market' },
      { at: 90 },
      { stop: 100 },
      'orders[1].price',
      'The take profit is at 0.9 and must be above the stop loss at 1',
    ],
    [
      'exits of a market sell that meet',
      'sell',
      { type: 'market' },
      { at: 100 },
      { stop: 100 },
      'orders[1].price',
      'The take profit is at 1 and must be below the stop loss at 1',
    ],
  ])('%s is refused', (_, side, entry, profit, loss, field, message) => {
    const refused = refusal(side, entry, profit, loss);
    expect(refused).toMatchObject({ code: 'bracket-prices-invalid', field });
    expect(refused?.message).toContain(message);
  });

  test.each([
    [
      'buy',
      110,
      105,
      100,
      'orders[2].stopPrice',
      'stop loss is at 1.05 and must be below the last price at 1',
    ],
    [
      'buy',
      99,
      90,
      100,
      'orders[1].price',
      'take profit is at 0.99 and must be above the last price at 1',
    ],
    [
      'sell',
      90,
      95,
      100,
      'orders[2].stopPrice',
      'stop loss is at 0.95 and must be above the last price at 1',
    ],
  ] as const)(
    'of a market %s stand on their sides of the last price, where there is one',
    (side, profitAt, lossAt, last, field, message) => {
      const exit = side === 'buy' ? 'sell' : 'buy';
      const entry = order(side, { type: 'market' });
      const exits = [order(exit, { at: profitAt }), order(exit, { stop: lossAt })];
      const refused = bracketRefusal([entry, ...exits], INSTRUMENT, ticks(last));
      expect(refused).toMatchObject({ code: 'bracket-prices-invalid', field });
      expect(refused?.message).toContain(message);
      expect(bracketRefusal([entry, ...exits], INSTRUMENT)).toBeUndefined();
    },
  );

  test('of an entry with a price are not held against the last price', () => {
    const orders = [
      order('buy', { at: 100 }),
      order('sell', { at: 110 }),
      order('sell', { stop: 90 }),
    ];
    expect(bracketRefusal(orders, INSTRUMENT, ticks(80))).toBeUndefined();
  });
});
