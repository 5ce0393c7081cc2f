import { describe, expect, test } from 'vitest';
import type { Instrument } from '../../src/model/instrument.ts';
import { decimal } from '../../src/model/decimal.ts';
import type { Side } from '../../src/model/order.ts';
import { lots, ticks } from '../../src/model/units.ts';
import {
  bracketExitLots,
  bracketRejection,
  bracketSizeRejection,
} from '../../src/rules/bracket.ts';
import type { NewOrder } from '../../src/model/order.ts';
import { instrumentOf } from '../kit/instruments.ts';

const INSTRUMENT = instrumentOf();

type Prices = Partial<Pick<NewOrder, 'type'>> & {
  readonly at?: number;
  readonly stop?: number;
};

const order = (side: Side, { type = 'limit', at, stop }: Prices): NewOrder => ({
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

const rejection = (side: Side, entry: Prices, profit: Prices, loss: Prices) => {
  const exit = side === 'buy' ? 'sell' : 'buy';
  return bracketRejection([order(side, entry), order(exit, profit), order(exit, loss)], INSTRUMENT);
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
    ['a take profit without a price, the same', 'buy', { at: 100 }, {}, { stop: 200 }],
    ['a stop loss without a price, the same', 'buy', { at: 100 }, { at: 50 }, {}],
  ])('stand on their sides of %s', (_, side, entry, profit, loss) => {
    expect(rejection(side, entry, profit, loss)).toBeUndefined();
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
    const rejected = rejection(side, entry, profit, loss);
    expect(rejected).toMatchObject({ code: 'bracket-prices-invalid', field });
    expect(rejected?.message).toContain(message);
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
      const rejected = bracketRejection([entry, ...exits], INSTRUMENT, ticks(last));
      expect(rejected).toMatchObject({ code: 'bracket-prices-invalid', field });
      expect(rejected?.message).toContain(message);
      expect(bracketRejection([entry, ...exits], INSTRUMENT)).toBeUndefined();
    },
  );

  test('of an entry with a price are not held against the last price', () => {
    const orders = [
      order('buy', { at: 100 }),
      order('sell', { at: 110 }),
      order('sell', { stop: 90 }),
    ];
    expect(bracketRejection(orders, INSTRUMENT, ticks(80))).toBeUndefined();
  });
});

describe('the exits of a bracket', () => {
  const inBase = (rates: { takeRate: string; makeRate?: string }): Instrument =>
    instrumentOf({ makeRate: '0', ...rates, feeCurrency: 'BTC' });

  test.each([
    ['the fee of the entry and their own, at the higher rate', '0.001', '0.0005', 1_000, 998],
    ['the same where the maker pays more', '0.0005', '0.001', 1_000, 998],
    // 1,001 × 0.99 = 990.99, and 981 × 1.01 = 990.81.
    ['both, rounded down to a lot', '0.01', '0', 1_001, 981],
    ['nothing where nobody pays', '0', '-0.0001', 1_000, 1_000],
    ['all where the fee leaves no lot', '0.001', '0', 1, 0],
  ])('leave of what is bought %s', (_, takeRate, makeRate, count, expected) => {
    expect(
      bracketExitLots(inBase({ takeRate, makeRate }), { side: 'buy', lots: lots(count) }, {}),
    ).toBe(expected);
  });

  test('are for all where the fee is taken in the quote currency, or the entry sells', () => {
    expect(bracketExitLots(INSTRUMENT, { side: 'buy', lots: lots(1_000) }, {})).toBe(1_000);
    expect(
      bracketExitLots(inBase({ takeRate: '0.01' }), { side: 'sell', lots: lots(1_000) }, {}),
    ).toBe(1_000);
  });

  test.each([0, 1, 2, 3])(
    'are covered by what is held then, and one lot more is not: %i',
    (seed) => {
      for (let count = 1 + seed; count < 4_000; count += 7) {
        const instrument = inBase({ takeRate: `0.00${seed + 1}7`, makeRate: '0.0011' });
        const exits = bracketExitLots(instrument, { side: 'buy', lots: lots(count) }, {});
        const bought = instrument.size(lots(count));
        const held = bought.minus(bought.times(instrument.takeRate));
        const needs = (n: number) => instrument.size(lots(n)).times(instrument.takeRate.plus(1));
        expect(needs(exits).lessThanOrEqualTo(held)).toBe(true);
        expect(needs(exits + 1).lessThanOrEqualTo(held)).toBe(false);
      }
    },
  );

  test('are refused where the fees leave no lot to sell', () => {
    const instrument = inBase({ takeRate: '0.001' });
    const exit = { side: 'sell', lots: lots(1) } as const;
    const bracket = (count: number, rates = {}) =>
      bracketSizeRejection(instrument, [
        { side: 'buy', lots: lots(count) },
        exit,
        { ...exit, ...rates },
      ]);
    expect(bracket(2)).toBeUndefined();
    expect(bracket(1)).toEqual({
      code: 'quantity-below-minimum',
      field: 'orders[0].quantity',
      message:
        'The bracket buys 0.00001 BTC, of which the fees in BTC leave less than one lot (0.00001) to sell; buy more.',
      limit: '0.00001',
    });
    // Each of the two exits has to sell a lot, at the rate that it asks for itself.
    expect(bracket(2, { takeRate: decimal('0.999') })?.message).toContain('buys 0.00002 BTC');
    expect(bracketSizeRejection(instrument, [{ ...exit, side: 'buy' }])).toBeUndefined();
  });
});
