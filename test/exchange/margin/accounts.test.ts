import { describe, expect, test } from 'vitest';
import { CROSS, MARGIN } from '../../../src/exchange/ledger/balances.ts';
import { decimal, Decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import { instrument, MarginFloor, onMargin, perpetual } from './kit.ts';

const PERP = 'BTCUSDT_PERP';

function opened(): { floor: MarginFloor; account: number } {
  const floor = new MarginFloor([instrument(), perpetual()]);
  floor.quote(99, 101);
  const account = floor.account({ USDT: '1000' }, '500');
  return { floor, account };
}

describe('a margin account', () => {
  test(
    'is opened with funds of the spot balance, which are reserved then',
    { tags: ['server:trading-v3.spot.balance-reserved-margin'] },
    () => {
      const { floor, account } = opened();
      expect(floor.set(account, '400')).toBeUndefined();
      expect(floor.row(account)).toBe('600');
      expect(floor.row(account, 'USDT', MARGIN)).toBe('400');
      expect(floor.reported()).toEqual(['created 400']);
      const view = floor.view(account);
      expect(view).toMatchObject({ mode: 'isolated', symbol: 'BTCUSDT', currency: 'USDT' });
      expect(view.leverage?.toFixed()).toBe('10');
      expect(view.positions).toEqual([]);
    },
  );

  test(
    'of the cross mode has a pocket of its own',
    { tags: ['server:trading-v3.spot.balance-cross-margin-reserved'] },
    () => {
      const { floor, account } = opened();
      expect(floor.set(account, '400', { mode: 'cross' })).toBeUndefined();
      expect(floor.row(account, 'USDT', CROSS)).toBe('400');
      expect(floor.row(account, 'USDT', MARGIN)).toBe('0');
      expect(floor.view(account, { mode: 'cross' }).symbol).toBeUndefined();
      expect(floor.view(account, { mode: 'cross' }).leverage).toBeUndefined();
    },
  );

  test('of futures has the funds of the derivatives ledger and names its leverage', () => {
    const { floor, account } = opened();
    expect(floor.set(account, '400', { symbol: PERP })).toMatchObject({
      code: 'leverage-invalid',
      field: 'leverage',
    });
    expect(floor.set(account, '400', { symbol: PERP, leverage: '5' })).toBeUndefined();
    expect(floor.row(account)).toBe('1000');
    expect(floor.row(account, 'USDT', MARGIN, floor.exchange.derivatives)).toBe('400');
    expect(floor.view(account, { symbol: PERP }).leverage?.toFixed()).toBe('5');
    expect(floor.exchange.margin.accounts(account)).toHaveLength(1);
  });

  test(
    'is closed by a balance of 0, and its funds go back',
    { tags: ['server:trading-v3.margin.put-account-zero-closes'] },
    () => {
      const { floor, account } = opened();
      floor.set(account, '400');
      floor.place(account, 'waits', {
        side: 'sell',
        type: 'stopMarket',
        stopTicks: 90,
        closePosition: true,
      });
      floor.reported();
      expect(floor.set(account, '0')).toBeUndefined();
      expect(floor.row(account)).toBe('1000');
      expect(floor.reported()).toEqual(['canceled waits--- 0/0', 'closed 0']);
      expect(floor.exchange.margin.account(account, 'BTCUSDT', 'isolated')).toBeUndefined();
      expect(floor.set(account, '0')?.code).toBe('margin-account-unknown');
      floor.set(account, '10');
      expect(floor.reported()).toEqual(['reopened 10']);
    },
  );

  test('is not closed, and not emptied, while it holds for orders or a position', () => {
    const { floor, account } = opened();
    floor.set(account, '400');
    floor.place(account, 'buy', { side: 'buy', lots: 10 });
    // 1,010 at leverage 10, and 3.05 to close it; 10 × 1 of loss, as the middle is at 100.
    expect(floor.view(account).reservedPositions.toFixed()).toBe('112.121');
    expect(floor.set(account, '112.1')).toMatchObject({
      code: 'funds-insufficient',
      field: 'marginBalance',
      limit: '112.121',
    });
    expect(floor.set(account, '0')?.code).toBe('funds-insufficient');
    expect(floor.set(account, '112.121')).toBeUndefined();
    expect(floor.row(account)).toBe('886.869');
  });

  test('changes its funds and its leverage, and says so', () => {
    const { floor, account } = opened();
    floor.set(account, '400');
    floor.reported();
    expect(floor.set(account, '400')?.code).toBe('position-unchanged');
    expect(floor.set(account, '1000.01')).toMatchObject({ limit: '600.01' });
    expect(floor.set(account, '500', { leverage: '4' })).toBeUndefined();
    expect(floor.set(account, '500', { leverage: '4' })?.code).toBe('position-unchanged');
    expect(floor.reported()).toEqual(['marginChanged 500']);
    floor.place(account, 'buy', { side: 'buy', lots: 19 });
    expect(floor.set(account, '498.081', { leverage: '2' })).toMatchObject({
      code: 'funds-insufficient',
    });
    expect(floor.set(account, '498.081', { leverage: '8' })).toBeUndefined();
  });

  test('gives nothing away while its effective leverage would not be below the initial one', () => {
    const low = onMargin({ maxInitialLeverage: '2' });
    const floor = new MarginFloor([instrument({ margin: low, takeRate: '0' })]);
    floor.quote(100, 100);
    const account = floor.account({ USDT: '1000' });
    floor.set(account, '600');
    floor.place(account, 'buy', { side: 'buy', lots: 10 });
    // At 2 the value of 1,000 needs more than 500.
    expect(floor.set(account, '500')).toMatchObject({ code: 'funds-insufficient', limit: '2' });
    expect(floor.set(account, '501')).toBeUndefined();
  });

  test.each([
    ['negative', '-1'],
    ['too fine', '0.0000000000001'],
  ])('takes no balance that is %s', (_, balance) => {
    const { floor, account } = opened();
    expect(floor.set(account, balance)?.code).toBe('margin-balance-invalid');
    const endless = { symbol: 'BTCUSDT', mode: 'isolated', marginBalance: new Decimal('Infinity') };
    const setting = endless as Parameters<typeof floor.exchange.margin.set>[1];
    expect(floor.exchange.margin.set(account, setting, micros(0))?.code).toBe(
      'margin-balance-invalid',
    );
  });

  test.each(['0.9', '10.1', '2.005'])('takes no leverage of %s', (leverage) => {
    const { floor, account } = opened();
    expect(floor.set(account, '10', { leverage })?.code).toBe('leverage-invalid');
  });

  test('of an unknown symbol or mode is refused, and of a frozen account too', () => {
    const { floor, account } = opened();
    expect(floor.set(account, '10', { symbol: 'NOPE' })?.code).toBe('symbol-unknown');
    expect(floor.close(account, { symbol: 'NOPE' })?.code).toBe('symbol-unknown');
    expect(floor.set(account, '10', { mode: 'both' as 'cross' })?.code).toBe('margin-mode-invalid');
    expect(floor.exchange.margin.account(account, 'NOPE', 'isolated')).toBeUndefined();
  });
});

describe('the insurance funds', () => {
  test('are filled from outside, each its own', () => {
    const { floor } = opened();
    floor.exchange.margin.insure('USDT', decimal('5'), 'margin');
    floor.exchange.margin.insure('USDT', decimal('7'), 'futures');
    expect(floor.sum('USDT')).toBe('1005');
    expect(floor.sum('USDT', floor.exchange.derivatives)).toBe('507');
    expect(() => {
      floor.exchange.margin.insure('USDT', decimal('0'), 'margin');
    }).toThrow('a positive amount, not 0 USDT');
    expect(() => {
      floor.exchange.margin.insure('EUR', decimal('1'), 'margin');
    }).toThrow('No instrument uses the currency EUR');
  });
});

describe('growing', () => {
  test('is refused while a symbol opens nothing, and what is open can be closed', () => {
    const { floor, account } = opened();
    const { margin } = floor.exchange;
    floor.set(account, '400');
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    margin.enable('BTCUSDT', false);
    expect(floor.place(account, 'more', { side: 'buy', lots: 1 })?.code).toBe(
      'position-close-only',
    );
    expect(floor.place(account, 'turn', { side: 'sell', lots: 4 })?.code).toBe(
      'position-close-only',
    );
    expect(floor.place(account, 'less', { side: 'sell', lots: 3 })).toBeUndefined();
    expect(floor.place(account, 'new', { side: 'sell', lots: 3 })?.code).toBe('margin-forbidden');
    const other = floor.account({ USDT: '10' });
    expect(floor.set(other, '10')?.code).toBe('margin-forbidden');
    margin.enable('BTCUSDT', true);
    expect(floor.set(other, '10')).toBeUndefined();
    expect(() => {
      margin.enable('NOPE', true);
    }).toThrow('There is no symbol');
  });

  test('is refused at the initial leverage, where orders that take from the position pass', () => {
    const floor = new MarginFloor();
    floor.quote(100, 100);
    const account = floor.account({ USDT: '1000' });
    floor.set(account, '900');
    floor.place(account, 'buy', { side: 'buy', lots: 50 });
    floor.quote(90, 90);
    // 895 − 500 is left, and 4,500 ÷ 395 is more than 10.
    const rejection = floor.place(account, 'more', { side: 'buy', lots: 1 });
    expect(rejection).toMatchObject({ code: 'position-close-only', field: 'quantity' });
    expect(floor.place(account, 'less', { side: 'sell', lots: 1 })).toBeUndefined();
  });

  test('stops at the risk limit of the leverage', () => {
    const limit = { limitBase: '1000', limitPower: '1', unlimitedThreshold: '2' };
    const floor = new MarginFloor([instrument({ margin: onMargin(limit) })]);
    floor.quote(100, 100);
    const account = floor.account({ USDT: '5000' });
    floor.set(account, '1000', { leverage: '4' });
    expect(floor.place(account, 'a', { side: 'buy', lots: 3 })).toMatchObject({
      code: 'risk-limit-exceeded',
      limit: '250',
    });
    expect(floor.place(account, 'b', { side: 'buy', lots: 2 })).toBeUndefined();
    expect(floor.place(account, 'c', { side: 'buy', lots: 1, ticks: 51 })?.code).toBe(
      'risk-limit-exceeded',
    );
    expect(floor.place(account, 'd', { side: 'buy', lots: 1, ticks: 50 })).toBeUndefined();
    // Up to the threshold there is none.
    floor.set(account, '1500', { leverage: '2' });
    expect(floor.place(account, 'e', { side: 'buy', lots: 9 })).toBeUndefined();
  });
});

describe('closing a position', () => {
  test('at the market takes what can be had, and needs a position', () => {
    const { floor, account } = opened();
    floor.set(account, '400');
    expect(floor.close(account)?.code).toBe('position-unknown');
    expect(floor.close(account, { mode: 'cross' })?.code).toBe('margin-account-unknown');
    floor.place(account, 'sell', { side: 'sell', lots: 3 });
    floor.quote(99, 101, 2);
    floor.reported();
    expect(floor.close(account)).toBeUndefined();
    expect(floor.reported()).toEqual([
      'new system-00000001 0/3',
      'trade system-00000001 buy 2@101',
      'expired system-00000001 2/3',
      `closeTrade ${floor.margin(account)} #1 -1 pnl -4`,
    ]);
  });

  test('at a price waits there, on the nearest tick unless that is to be strict', () => {
    const { floor, account } = opened();
    floor.set(account, '400');
    floor.place(account, 'sell', { side: 'sell', lots: 3 });
    floor.reported();
    expect(floor.close(account, { price: '90.4', strictValidate: true })?.code).toBe(
      'price-off-tick',
    );
    expect(floor.close(account, { price: '90.4' })).toBeUndefined();
    expect(floor.reported()).toEqual(['new system-00000001 0/3']);
    floor.print(89, 9, 'sell');
    expect(floor.view(account).positions).toEqual([]);
    expect(floor.reported().at(-1)).toBe(`closed ${floor.margin(account)} #1 0 pnl 27`);
  });

  test('at a price closes what is left of it when the price comes, and never turns it', () => {
    const { floor, account } = opened();
    floor.set(account, '400');
    floor.place(account, 'sell', { side: 'sell', lots: 3 });
    floor.close(account, { price: '90' });
    floor.place(account, 'buy', { side: 'buy', lots: 2 });
    expect(floor.position(account).quantity.toFixed()).toBe('-1');
    floor.reported();
    floor.print(89, 9, 'sell');
    expect(floor.reported().slice(0, 2)).toEqual([
      'trade system-00000001 buy 1@90',
      'canceled system-00000001 1/3',
    ]);
    expect(floor.view(account).positions).toEqual([]);
  });

  test('uses client order ids that nobody else has', () => {
    const { floor, account } = opened();
    floor.set(account, '400');
    floor.place(account, 'system-00000001', { side: 'sell', lots: 3 });
    floor.reported();
    floor.close(account);
    expect(floor.reported()[0]).toBe('new system-00000002 0/3');
  });
});

test.each([Symbol('a'), 5n, null, '100', 100, {}, [1], undefined])(
  'a margin balance that is no decimal number is refused, and so is a leverage: %#',
  (value: unknown) => {
    const { floor, account } = opened();
    const setting = { symbol: PERP, mode: 'isolated', marginBalance: decimal('10') } as const;
    const set = (change: object): unknown =>
      floor.exchange.margin.set(account, { ...setting, ...change }, micros(floor.at));
    expect(set({ marginBalance: value })).toMatchObject({ code: 'margin-balance-invalid' });
    expect(set({ leverage: value })).toMatchObject({ code: 'leverage-invalid' });
  },
);
