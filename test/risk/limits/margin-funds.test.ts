import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { marginFundsRejection } from '../../../src/risk/limits/margin-funds.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { limitsOf, open, place, placeList } from '../view.ts';
import { BTC, type Funds } from '../margin/view.ts';
import { at, REDUCE_ONLY, replace, viewAt } from './view.ts';

// At a leverage of 10 an order of a value of 100 holds 10.105: 1/10 + f + f × (1 + 1/10) of it.

const limitOf = (request: OrderRequest, view: RiskView) =>
  marginFundsRejection(request, view, limitsOf())?.limit;

test('the balance must reach for what an order holds', () => {
  expect(limitOf(place(at('buy', 1_000, 'isolated')), viewAt([{ balance: '10.105' }]))).toBe(undefined); // prettier-ignore
  const view = viewAt([{ balance: '10.104' }]);
  expect(marginFundsRejection(place(at('buy', 1_000, 'isolated')), view, limitsOf())).toEqual({
    code: 'funds-insufficient',
    field: 'quantity',
    message: 'The margin balance is 10.104 USDT and must be at least 10.105 for positions and orders together.', // prettier-ignore
    limit: '10.105',
  });
});

test('what positions hold is needed beside it, their open losses included', () => {
  const funds: Funds = { balance: '0', held: [{ instrument: BTC, size: '-1', entry: '100' }] }; // prettier-ignore
  const sell = place(at('sell', 1_000, 'isolated'));
  // A position of 100 holds 100 × (1/10 + f × 1.1) = 10.055, and 10 × (1 + f) more at a loss of 10.
  expect(limitOf(sell, viewAt([funds]))).toBe('20.16');
  expect(limitOf(sell, viewAt([funds], {}, { BTCUSDT: '110' }))).toBe('30.165');
  expect(limitOf(sell, viewAt([funds], {}, { BTCUSDT: '90' }))).toBe('20.16');
});

test('each margin account needs the funds of its own orders', () => {
  const enough: Funds = { balance: '10.105' };
  const short: Funds = { mode: 'cross', balance: '10.104' };
  const list = placeList('allOrNone', at('buy', 1_000, 'isolated'), at('buy', 1_000, 'cross'));
  expect(limitOf(list, viewAt([enough, { ...short, balance: '10.105' }]))).toBeUndefined();
  expect(limitOf(list, viewAt([enough, short]))).toBe('10.105');
  // Of an account that is not there others say so.
  expect(limitOf(list, viewAt([short]))).toBe('10.105');
  expect(limitOf(list, viewAt([enough]))).toBeUndefined();
});

describe('a replacement', () => {
  const order = open(at('buy', 1_000, 'isolated'));
  const of = (lots: number, ticks: number, balance: string) =>
    limitOf(
      replace(order.clientOrderId, lots, { ticks }),
      viewAt([{ balance }], { orders: [order] }),
    );

  test('needs what it holds instead of the order that it replaces, and not beside it', () => {
    expect(of(2_000, 10_000, '20.21')).toBeUndefined();
    expect(of(2_000, 10_000, '20.2099')).toBe('20.21');
  });

  test('needs more where it is smaller and dearer', () => {
    // 0.9 at 200 are worth 180.
    expect(of(900, 20_000, '18.188')).toBe('18.189');
    expect(of(900, 20_000, '18.189')).toBeUndefined();
  });

  test('that holds no more passes, though the balance has become too small', () => {
    expect(of(999, 10_000, '0')).toBeUndefined();
    expect(of(1_000, 10_000, '0')).toBeUndefined();
    expect(of(2_000, 5_000, '0')).toBeUndefined();
    expect(of(1_001, 10_000, '0')).toBe('10.115105');
  });

  test('of an order that is not open is for others to reject', () => {
    const margined = viewAt([{ balance: '0' }]);
    expect(limitOf(replace('none', 1), margined)).toBeUndefined();
  });
});

describe('with no funds at all', () => {
  const held = (size: string): Funds => ({
    balance: '0',
    held: [{ instrument: BTC, size, entry: '100' }],
  });

  test.each([
    ['1', 'sell'],
    ['-1', 'buy'],
  ] as const)('a position of %s is closed by a %s, and not turned around', (size, side) => {
    const view = viewAt([held(size)]);
    expect(limitOf(place(at(side, 1_000, 'isolated')), view)).toBeUndefined();
    expect(limitOf(place(at(side, 1_001, 'isolated')), view)).toBeDefined();
    expect(limitOf(place(at(side, 9_000, REDUCE_ONLY)), view)).toBeUndefined();
  });

  test('an order passes that holds no more beside a larger one of the other side', () => {
    // Buys or sells hold, whichever need more: 2 at 100 are open to sell.
    const orders = [open(at('sell', 2_000, 'isolated'))];
    const view = viewAt([{ balance: '0' }], { orders });
    expect(limitOf(place(at('buy', 2_000, 'isolated')), view)).toBeUndefined();
    expect(limitOf(place(at('buy', 2_001, 'isolated')), view)).toBe('20.220105');
  });

  test('orders on spot and cancels pass', () => {
    const view = viewAt([{ balance: '0' }]);
    expect(limitOf(place(at('buy', 1_000)), view)).toBeUndefined();
    const cancel = { kind: 'cancel', clientOrderId: 'any', symbol: 'BTCUSDT' } as const;
    expect(limitOf(cancel, view)).toBeUndefined();
  });
});

test('an order without a price holds what it would take first, or the mark price where the market is unknown', () => {
  const market = place({ type: 'market', side: 'buy', lots: 1_000, margin: { mode: 'isolated' } });
  const funds = [{ balance: '0' }];
  const marks = { BTCUSDT: '120' };
  expect(limitOf(market, viewAt(funds, {}, marks))).toBe('10.105');
  expect(limitOf(market, viewAt(funds, { markets: {} }, marks))).toBe(decimal('10.105').times('1.2').toFixed()); // prettier-ignore
  const stop = place({
    ...{ type: 'stopMarket', side: 'buy', lots: 1_000, margin: { mode: 'isolated' } },
    stopTicks: 20_000,
  });
  // A stop market buy counts at its stop price and a tenth: 220.
  expect(limitOf(stop, viewAt(funds, {}, marks))).toBe('22.231');
});
