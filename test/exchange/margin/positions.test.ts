import { describe, expect, test } from 'vitest';
import { MARGIN } from '../../../src/exchange/ledger/balances.ts';
import { HOUSE, MarginFloor, POOL } from './kit.ts';

/** A floor whose market shows 9,999 to 10,000, with an account of 5,000 on margin at leverage 10. */
function opened(): { floor: MarginFloor; account: number } {
  const floor = new MarginFloor();
  floor.quote(9_999, 10_000);
  const account = floor.account({ USDT: '10000' });
  expect(floor.set(account, '5000')).toBeUndefined();
  return { floor, account };
}

describe('a position', () => {
  test('is opened by a trade, which takes its fee from the margin and nothing else from anybody', () => {
    const { floor, account } = opened();
    floor.reported();
    expect(floor.place(account, 'open', { side: 'buy', lots: 2, ticks: 10_000 })).toBeUndefined();
    expect(floor.reported()).toEqual([
      'new open---- 0/2',
      'trade open---- buy 2@10000',
      'openTrade 4980 #1 2 pnl 0',
    ]);
    expect(floor.position(account)).toMatchObject({ id: 1, symbol: 'BTCUSDT' });
    expect(floor.position(account).priceEntry.toFixed()).toBe('10000');
    expect(floor.row(account)).toBe('5000');
    expect(floor.row(account, 'USDT', MARGIN)).toBe('4980');
    expect(floor.row(account, 'BTC')).toBe('0');
    expect(floor.row(HOUSE)).toBe('20');
    // The pool paid for the two lots and has them.
    expect(floor.row(POOL)).toBe('-20000');
    expect(floor.row(POOL, 'BTC')).toBe('2');
  });

  test('shows the prices of record D and what it holds', () => {
    const { floor, account } = opened();
    floor.place(account, 'open', { side: 'buy', lots: 2, ticks: 10_000 });
    floor.quote(10_000, 10_000);
    const view = floor.view(account);
    const [position] = view.positions;
    expect(position.priceMarginCall.toFixed()).toBe('8056');
    expect(position.priceLiquidation.toFixed()).toBe('7914');
    expect(view.reservedPositions.toFixed()).toBe('2022');
    expect(view.reservedOrders.toFixed()).toBe('0');
    expect(position.pnl.toFixed()).toBe('0');
  });
});

test('a position cannot be closed while its symbol takes no orders', () => {
  const { floor, account } = opened();
  floor.place(account, 'open', { side: 'buy', lots: 2, ticks: 10_000 });
  floor.exchange.statuses.set('BTCUSDT', 'suspended');
  floor.reported();
  expect(floor.close(account)?.code).toBe('symbol-suspended');
  expect(floor.reported()).toEqual([]);
  floor.exchange.statuses.set('BTCUSDT', 'working');
  expect(floor.close(account)).toBeUndefined();
  expect(floor.view(account).positions).toEqual([]);
});

describe('what is remembered of a position', () => {
  test('is how large it was, and the mean price of what closed it', () => {
    const { floor, account } = opened();
    floor.place(account, 'open', { side: 'buy', lots: 2, ticks: 10_000 });
    floor.place(account, 'more', { side: 'buy', lots: 1, ticks: 10_000 });
    floor.quote(10_100, 10_101);
    floor.place(account, 'some', { side: 'sell', lots: 1, ticks: 10_100 });
    floor.quote(10_200, 10_201);
    floor.place(account, 'rest', { side: 'sell', lots: 2, ticks: 10_200 });
    const [ended] = floor.exchange.margin.ended(account);
    expect(ended.end).toBe('closed');
    expect(ended.quantityMax.toFixed()).toBe('3');
    // One lot at 10,100 and two at 10,200: 10,166.67, at the tick.
    expect(ended.priceClose.toFixed()).toBe('10167');
    expect(ended.leverage?.toFixed()).toBe('10');
    expect(ended.realizedPnl.toFixed()).toBe('500');
  });

  test('is of a turn that result and fees are those of the old one', () => {
    const { floor, account } = opened();
    floor.place(account, 'open', { side: 'buy', lots: 1, ticks: 10_000 });
    floor.place(account, 'turn', { side: 'sell', lots: 2, ticks: 9_999 });
    const turned = floor.reports.at(-1);
    expect(turned?.reason).toBe('flipTrade');
    expect(turned?.position?.id).toBe(2);
    expect(turned?.trade?.positionId).toBe(1);
    const [ended] = floor.exchange.margin.ended(account);
    expect(ended.end).toBe('flipped');
    expect(ended.feeCumulative.toFixed()).toBe('29.998');
    expect(ended.quantityMax.toFixed()).toBe('1');
  });
});

test('what a trade did to a position is known when the trade is reported', () => {
  const { floor, account } = opened();
  const other = floor.account({ USDT: '20000' });
  floor.set(other, '10000');
  floor.place(other, 'sell', { side: 'sell', lots: 3, ticks: 10_000 });
  floor.quote(9_999, 10_001);
  floor.place(account, 'buys', { side: 'buy', lots: 3, ticks: 10_000 });
  const reported = floor.fills.map((report) => [
    report?.trade?.clientOrderId,
    report?.position?.id,
  ]);
  // The maker's trade comes first, each with its own account.
  expect(reported).toEqual([
    ['sell----', 1],
    ['buys----', 2],
  ]);
  expect(floor.fills.map((report) => report?.trader)).toEqual([other, account]);
});
