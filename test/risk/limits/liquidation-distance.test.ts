import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { liquidationRejection } from '../../../src/risk/limits/liquidation-distance.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { BTC, type Funds } from '../margin/view.ts';
import { limitsOf, open, place, placeList } from '../view.ts';
import { at, checkedOf, position, REDUCE_ONLY, replace, viewAt } from './view.ts';

const rejected = (request: OrderRequest, view: RiskView, minLiquidationDistance = '0.15') =>
  liquidationRejection(checkedOf(request, view, limitsOf({ minLiquidationDistance })));

/** Sells so many thousandths of a BTC at 20,000. */
const sell = (lots: number) => place(at('sell', lots, 'isolated', 2_000_000));
const MARK = { BTCUSDT: '20000' };
const FUNDS: Funds = { balance: '600' };

test('an order says how near a position could come to its liquidation', () => {
  // (600 + 2,900) ÷ (0.145 × 1.0505) is 22,977.56.
  expect(rejected(sell(145), viewAt([FUNDS], {}, MARK))).toEqual({
    code: 'risk-liquidation-distance',
    field: 'quantity',
    message:
      'The position in BTCUSDT could be liquidated at 22977.56, 14.89 % from 20000; 15 % must be left.',
    limit: '0.15',
  });
  expect(rejected(sell(144), viewAt([FUNDS], {}, MARK))).toBeUndefined();
});

test('a distance that is just reached passes', () => {
  // (600 + 2,000) ÷ 0.10505 is 24,750.11: 4,750.11 of 20,000.
  const view = viewAt([FUNDS], {}, MARK);
  expect(rejected(sell(100), view, '0.2375055')).toBeUndefined();
  expect(rejected(sell(100), view, '0.2375056')?.limit).toBe('0.2375056');
});

test('without a limit, without an account, and on spot nothing is judged', () => {
  const view = viewAt([FUNDS], {}, MARK);
  expect(liquidationRejection(checkedOf(sell(999), view, limitsOf()))).toBeUndefined();
  expect(rejected(sell(999), viewAt([], {}, MARK))).toBeUndefined();
  expect(rejected(place(at('sell', 999)), view)).toBeUndefined();
});

test('each account that a list opens something in is judged', () => {
  const cross: Funds = { mode: 'cross', balance: '600' };
  const list = (isolated: number, other: number) =>
    placeList(
      'allOrNone',
      at('sell', isolated, 'isolated', 2_000_000),
      at('sell', other, 'cross', 2_000_000),
    );
  const view = viewAt([FUNDS, cross], {}, MARK);
  expect(rejected(list(144, 144), view)).toBeUndefined();
  expect(rejected(list(145, 1), view)?.code).toBe('risk-liquidation-distance');
  expect(rejected(list(1, 145), view)?.code).toBe('risk-liquidation-distance');
  expect(rejected(list(1, 145), viewAt([cross], {}, MARK))?.code).toBe('risk-liquidation-distance');
});

test('while a mark price is unknown nothing can be judged', () => {
  expect(rejected(place(at('sell', 1, 'isolated')), viewAt([FUNDS], {}, {}))).toEqual({
    code: 'risk-market-unknown',
    field: 'symbol',
    message:
      'The distance to liquidation needs a price of BTCUSDT, and its market is not known or stale.',
  });
});

describe('a position that is too near already', () => {
  // A long of 1 at 100 with 6: 94 ÷ 0.9495 is 99.00, 1 % away.
  const near = position('1', 'isolated', BTC, '6');

  test('may be closed, and turned around to one that is farther', () => {
    const view = viewAt([near]);
    expect(rejected(place(at('sell', 1_000, 'isolated')), view)).toBeUndefined();
    expect(rejected(place(at('sell', 1_000, REDUCE_ONLY)), view)).toBeUndefined();
    // Of a short of 0.1 at 100, 6 is 60 % of the value.
    expect(rejected(place(at('sell', 1_100, 'isolated')), view)).toBeUndefined();
    expect(rejected(place(at('buy', 1, 'isolated')), view)?.code).toBe('risk-liquidation-distance');
  });

  test('may have an open order made smaller, and not larger', () => {
    const order = open(at('buy', 1_000, 'isolated'));
    const view = viewAt([near], { orders: [order] });
    const size = (lots: number) => rejected(replace(order.clientOrderId, lots), view)?.code;
    expect([size(999), size(1_001)]).toEqual([undefined, 'risk-liquidation-distance']);
  });
});
