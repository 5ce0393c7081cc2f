import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { leverageRejection } from '../../../src/risk/limits/leverage.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { BTC, ETH, type Funds } from '../margin/view.ts';
import { limitsOf, open, place, placeList } from '../view.ts';
import { at, checkedOf, MARKETS, position, REDUCE_ONLY, replace, viewAt } from './view.ts';

/** At a leverage of 10 that is liquidated at 20, a position must keep 1/20 + f = 0.0505 of its value. */
const HUNDRED: Funds = { balance: '100' };

const rejected = (request: OrderRequest, view: RiskView, limits: Parameters<typeof limitsOf>[0]) =>
  leverageRejection(checkedOf(request, view, limitsOf(limits)));

const why = (symbol: string) => ({
  code: 'risk-market-unknown',
  field: 'symbol',
  message: `The largest leverage of a margin account needs a price of ${symbol}, and its market is not known or stale.`,
});

describe.each(['buy', 'sell'] as const)('with an equity of 100 a %s', (side) => {
  const view = viewAt([HUNDRED]);
  const order = (lots: number) => place(at(side, lots, 'isolated'));

  test('may come to the largest leverage, and no lot beyond it', () => {
    expect(rejected(order(3_000), view, { maxLeverage: '3' })).toBeUndefined();
    expect(rejected(order(3_001), view, { maxLeverage: '3' })).toEqual({
      code: 'risk-leverage',
      field: 'quantity',
      message: 'Positions could reach 300.1 USDT on an equity of 100: the leverage would exceed the limit of 3.', // prettier-ignore
      limit: '3',
    });
  });

  test('may come to the largest use of the margin, and no lot beyond it', () => {
    expect(rejected(order(3_000), view, { maxMarginUse: '0.1515' })).toBeUndefined();
    expect(rejected(order(3_001), view, { maxMarginUse: '0.1515' })).toEqual({
      code: 'risk-margin-use',
      field: 'quantity',
      message: 'Positions could come to need 15.15505 USDT of an equity of 100, more than the 15.15 % that may be.', // prettier-ignore
      limit: '0.1515',
    });
  });

  test('is judged with the open orders of its account, and not with those of the other', () => {
    const orders = [open(at(side, 1_000, 'isolated')), open(at(side, 9_000, 'cross'))];
    const both = viewAt([HUNDRED, { mode: 'cross', balance: '100' }], { orders });
    expect(rejected(order(2_000), both, { maxLeverage: '3' })).toBeUndefined();
    expect(rejected(order(2_001), both, { maxLeverage: '3' })?.code).toBe('risk-leverage');
  });
});

test('without either limit, and without an account, nothing is judged', () => {
  const huge = place(at('buy', 9_999_999, 'isolated'));
  expect(rejected(huge, viewAt([HUNDRED]), {})).toBeUndefined();
  expect(rejected(huge, viewAt([]), { maxLeverage: '1' })).toBeUndefined();
  expect(rejected(place(at('buy', 9_999_999)), viewAt([HUNDRED]), { maxLeverage: '1' })).toBeUndefined(); // prettier-ignore
});

test('the equity has the open result of positions in it', () => {
  // Long 1 at 100, at 120 now: an equity of 120, and 120 of value; 2 more at 120 are 360.
  const view = viewAt([position('1', 'isolated', BTC, '100')], {}, { BTCUSDT: '120' });
  const buy = (lots: number) => place(at('buy', lots, 'isolated', 12_000));
  expect(rejected(buy(2_000), view, { maxLeverage: '3' })).toBeUndefined();
  expect(rejected(buy(2_001), view, { maxLeverage: '3' })?.code).toBe('risk-leverage');
});

describe('an account that is beyond its limits already', () => {
  const limits = { maxLeverage: '1', maxMarginUse: '0.01' };
  const order = open(at('sell', 2_000, 'isolated'));
  const view = viewAt([position('-1', 'isolated', BTC, '100')], { orders: [order] });
  const replaced = (lots: number, ticks: number) =>
    rejected(replace(order.clientOrderId, lots, { ticks }), view, limits)?.code;

  test('may have an order that is smaller, or larger and worth no more', () => {
    expect(replaced(1_999, 10_000)).toBeUndefined();
    expect(replaced(2_000, 10_000)).toBeUndefined();
    expect(replaced(2_001, 10_000)).toBe('risk-leverage');
    const buy = open(at('buy', 2_000, 'isolated', 10_000));
    const long = viewAt([HUNDRED], { orders: [buy] });
    const lower = (lots: number) =>
      rejected(replace(buy.clientOrderId, lots, { ticks: 8_000 }), long, limits)?.code;
    // 2 at 100 are worth what 2.5 at 80 are.
    expect([lower(2_500), lower(2_501)]).toEqual([undefined, 'risk-leverage']);
  });

  test('may have its position closed, and be left to orders that only reduce', () => {
    expect(rejected(place(at('buy', 1_000, 'isolated')), view, limits)).toBeUndefined();
    expect(rejected(place(at('buy', 9_000, REDUCE_ONLY)), view, limits)).toBeUndefined();
  });
});

describe('a list', () => {
  const cross: Funds = { mode: 'cross', balance: '100' };

  test('is judged in each account that it opens something in', () => {
    const view = viewAt([HUNDRED, cross]);
    const of = (isolated: number, other: number) =>
      placeList('allOrNone', at('buy', isolated, 'isolated'), at('buy', other, 'cross'));
    expect(rejected(of(3_000, 3_000), view, { maxLeverage: '3' })).toBeUndefined();
    expect(rejected(of(3_001, 3_000), view, { maxLeverage: '3' })?.code).toBe('risk-leverage');
    expect(rejected(of(3_000, 3_001), view, { maxLeverage: '3' })?.code).toBe('risk-leverage');
  });

  test('is judged in the accounts that are there, and by what opens', () => {
    const view = viewAt([cross]);
    const missing = placeList('allOrNone', at('buy', 1, 'isolated'), at('buy', 3_001, 'cross'));
    expect(rejected(missing, view, { maxLeverage: '3' })?.code).toBe('risk-leverage');
    const exit = placeList('allOrNone', at('sell', 1, REDUCE_ONLY), at('buy', 3_001, 'cross'));
    expect(rejected(exit, viewAt([HUNDRED, cross]), { maxLeverage: '3' })?.code).toBe('risk-leverage'); // prettier-ignore
  });
});

describe('where a price is unknown', () => {
  const limits = { maxLeverage: '1000' };
  const market = { type: 'market', lots: 1, symbol: 'ETHUSDT' } as const;
  const markets = { BTCUSDT: MARKETS.BTCUSDT };
  const buy = place(at('buy', 1, 'cross'));
  const cross: Funds = { mode: 'cross', balance: '100' };

  test('of an open market order of the account, nothing can be judged', () => {
    const orders = [open({ ...market, margin: { mode: 'cross' } })];
    expect(rejected(buy, viewAt([cross], { markets, orders }), limits)).toEqual(why('ETHUSDT'));
  });

  test('of an open market order elsewhere, it is not needed', () => {
    const orders = [open({ ...market, margin: { mode: 'isolated' } }), open(market)];
    expect(rejected(buy, viewAt([cross], { markets, orders }), limits)).toBeUndefined();
    // Another symbol on isolated margin is another account.
    const isolated = place(at('buy', 1, 'isolated'));
    expect(rejected(isolated, viewAt([HUNDRED], { markets, orders }), limits)).toBeUndefined();
  });

  test('of a position of the account, nothing can be judged', () => {
    const held = [
      { instrument: BTC, size: '1', entry: '100' },
      { instrument: ETH, size: '1', entry: '10' },
    ];
    const view = viewAt([{ ...cross, held }], {}, { BTCUSDT: '100' });
    expect(rejected(buy, view, limits)).toEqual(why('ETHUSDT'));
  });

  test('or its terms are, nothing can be judged', () => {
    const { margin: _, ...terms } = BTC.terms;
    const spot = instrumentOf(terms);
    const view = viewAt([cross], { instruments: [spot, ETH] });
    expect(rejected(buy, view, limits)).toEqual(why('BTCUSDT'));
  });
});
