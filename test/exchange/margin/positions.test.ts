import { describe, expect, test } from 'vitest';
import { MARGIN } from '../../../src/exchange/ledger/purse.ts';
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
    floor.told();
    expect(floor.place(account, 'open', { side: 'buy', lots: 2, ticks: 10_000 })).toBeUndefined();
    expect(floor.told()).toEqual([
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
    expect(position.priceMarginCall.toFixed()).toBe('8055');
    expect(position.priceLiquidation.toFixed()).toBe('7913');
    expect(view.reservedPositions.toFixed()).toBe('2022');
    expect(view.reservedOrders.toFixed()).toBe('0');
    expect(position.pnl.toFixed()).toBe('0');
  });
});
