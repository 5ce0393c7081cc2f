import { describe, expect, test } from 'vitest';
import { instrument, MarginFloor, onMargin, POOL } from './kit.ts';

const CROSS = { mode: 'cross' } as const;

/** The account of docs/margin-and-futures.md: 1,000 at leverage 10, long 0.1 at 20,000 and short 2 at 1,500. */
function crossed(): { floor: MarginFloor; account: number } {
  const margin = onMargin({ forceCloseFee: '0' });
  const terms = { margin, takeRate: '0.0005', tickSize: '0.01' };
  const floor = new MarginFloor([
    instrument({ ...terms, quantityIncrement: '0.1' }),
    instrument({ ...terms, symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
  ]);
  floor.quote(2_000_000, 2_000_000);
  floor.quote(150_000, 150_000, 1_000, 'ETHUSDT');
  const account = floor.account({ USDT: '2000' });
  // Fees of 1 and 1.5 are taken.
  floor.set(account, '1002.5', CROSS);
  floor.place(account, 'btc', { side: 'buy', lots: 1, margin: 'cross' });
  floor.place(account, 'eth', { symbol: 'ETHUSDT', side: 'sell', lots: 2, margin: 'cross' });
  floor.quote(1_950_000, 1_950_000);
  floor.quote(152_000, 152_000, 1_000, 'ETHUSDT');
  floor.reported();
  return { floor, account };
}

describe('a cross account', () => {
  test('carries the positions of all symbols of its currency with one balance', () => {
    const { floor, account } = crossed();
    const view = floor.view(account, CROSS);
    expect(view.marginBalance.toFixed()).toBe('1000');
    expect(view.positions.map((one) => one.priceLiquidation.toFixed())).toEqual([
      '12569.99',
      '1833.18',
    ]);
    expect(view.positions.map((one) => one.pnl.toFixed())).toEqual(['-50', '-40']);
  });

  test('is liquidated within a tick of the price of one position that it shows, and not before', () => {
    const { floor, account } = crossed();
    floor.quote(152_000, 152_000, 1_000, 'ETHUSDT');
    floor.quote(1_256_999, 1_256_999);
    expect(floor.view(account, CROSS).positions).toHaveLength(2);
    expect(floor.view(account, CROSS).isCalled).toBe(true);
    floor.place(account, 'waits', {
      side: 'buy',
      lots: 1,
      ticks: 100,
      margin: 'cross',
      reduceOnly: false,
    });
    floor.reported();
    floor.quote(1_256_998, 1_256_998);
    const reported = floor.reported();
    // The largest loss goes first, and what is left is safe.
    expect(reported).toContain('trade system-00000001 sell 1@1256998');
    expect(floor.view(account, CROSS).positions.map((one) => one.symbol)).toEqual(['ETHUSDT']);
    expect(floor.sum('USDT')).toBe('2000');
    expect(floor.row(POOL, 'BTC')).toBe('0');
  });

  test('is not liquidated while the gain of one position makes up for the loss of another', () => {
    const { floor, account } = crossed();
    floor.quote(100_000, 100_000, 1_000, 'ETHUSDT');
    floor.quote(1_200_000, 1_200_000);
    expect(floor.view(account, CROSS).positions).toHaveLength(2);
    // Closed at a loss beyond the balance, the gain still stands behind it.
    floor.quote(103_000, 103_000);
    expect(floor.view(account, CROSS).positions.map((one) => one.symbol)).toEqual(['ETHUSDT']);
    expect(floor.view(account, CROSS).marginBalance.isNegative()).toBe(true);
    floor.close(account, { symbol: 'ETHUSDT', mode: 'cross' });
    expect(floor.view(account, CROSS).marginBalance.isNegative()).toBe(false);
    expect(floor.sum('USDT')).toBe('2000');
  });

  test('knows nothing of the isolated account of the same symbol', () => {
    const { floor, account } = crossed();
    floor.set(account, '500');
    floor.place(account, 'own', { side: 'sell', lots: 1 });
    expect(floor.position(account).quantity.toFixed()).toBe('-0.1');
    expect(floor.view(account, CROSS).positions[0].quantity.toFixed()).toBe('0.1');
    expect(floor.exchange.margin.accounts(account)).toHaveLength(2);
    expect(floor.row(POOL, 'BTC')).toBe('0');
  });

  test('with a leverage of its own has the lower of the two for each symbol', () => {
    const floor = new MarginFloor([
      instrument({ margin: onMargin({ maxInitialLeverage: '5' }) }),
      instrument({ symbol: 'ETHUSDT', baseCurrency: 'ETH', margin: onMargin() }),
    ]);
    const account = floor.account({ USDT: '2000' });
    floor.set(account, '1000', { mode: 'cross', symbol: 'ETHUSDT', leverage: '8' });
    floor.place(account, 'btc', { side: 'buy', lots: 1, ticks: 100, margin: 'cross' });
    // 100 × (1/5 + 0.001 + 0.0012)
    expect(floor.view(account, CROSS).reservedOrders.toFixed()).toBe('20.22');
    floor.place(account, 'eth', {
      symbol: 'ETHUSDT',
      side: 'buy',
      lots: 1,
      ticks: 100,
      margin: 'cross',
    });
    // and 100 × (1/8 + 0.001 + 0.001125)
    expect(floor.view(account, CROSS).reservedOrders.toFixed()).toBe('32.9325');
  });
});
