import { describe, expect, test } from 'vitest';
import { MARGIN } from '../../../src/exchange/ledger/balances.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { FUND, HOUSE, instrument, MarginFloor, onMargin, perpetual, POOL } from './kit.ts';

/** Record D: two lots at 10,000 on 5,000 at leverage 10, with so much in the insurance fund. */
function recordD(forceCloseFee: string, insured?: string): { floor: MarginFloor; account: number } {
  const floor = new MarginFloor([instrument({ margin: onMargin({ forceCloseFee }) })]);
  if (insured !== undefined) floor.exchange.margin.insure('USDT', decimal(insured), 'margin');
  floor.quote(9_999, 10_000);
  const account = floor.account({ USDT: '5000' });
  floor.set(account, '5000');
  floor.place(account, 'open', { side: 'buy', lots: 2, ticks: 10_000 });
  floor.reported();
  return { floor, account };
}

describe('record D is liquidated', () => {
  test('at 7,900: result −4,200, fees 15.80 and 79.00, and 685.20 of the margin is left', () => {
    const { floor, account } = recordD('0.005');
    floor.quote(7_914, 7_915);
    expect(floor.reported()).toEqual(['updated 4980']);
    floor.quote(7_900, 7_901);
    expect(floor.reported()).toEqual([
      'new system-00000001 0/2',
      'trade system-00000001 sell 2@7900',
      'liquidated 685.2 #1 0 pnl -4200',
      'updated 685.2',
    ]);
    expect(floor.row(FUND)).toBe('79');
    expect(floor.row(account, 'USDT', MARGIN)).toBe('685.2');
    expect(floor.row(POOL)).toBe('0');
    expect(floor.row(POOL, 'BTC')).toBe('0');
    expect(floor.exchange.margin.ended(account)).toMatchObject([{ id: 1, end: 'liquidated' }]);
  });

  test('at 7,500 without a fee for that: 35 are missing, which the insurance fund pays', () => {
    const { floor, account } = recordD('0', '100');
    floor.quote(7_500, 7_501);
    expect(floor.margin(account)).toBe('0');
    expect(floor.row(FUND)).toBe('65');
    expect(floor.reported()).toContain('liquidated -35 #1 0 pnl -5000');
  });

  test('at 7,500 with an empty fund and nobody on the other side, the house pays them', () => {
    const { floor, account } = recordD('0');
    floor.quote(7_500, 7_501);
    expect(floor.margin(account)).toBe('0');
    expect(floor.row(FUND)).toBe('0');
    // Fees of 20 and 15, less what was missing.
    expect(floor.row(HOUSE)).toBe('0');
    expect(floor.sum('USDT')).toBe('5000');
  });
});

test('a sale of a part that makes it safe is the end of it', () => {
  const { floor, account } = recordD('0.005');
  floor.quote(7_900, 7_901, 1);
  expect(floor.reported()).toEqual([
    'new system-00000001 0/2',
    'trade system-00000001 sell 1@7900',
    'expired system-00000001 1/2',
    'closeTrade 2832.6 #1 1 pnl -2100',
  ]);
  floor.quote(7_900, 7_901);
  expect(floor.position(account).quantity.toFixed()).toBe('1');
});

describe('before that', () => {
  test('the account is called, which is a flag and a notice and sells nothing', () => {
    const { floor, account } = recordD('0.005');
    floor.quote(8_055, 8_056);
    expect(floor.view(account).isCalled).toBe(false);
    floor.quote(8_054, 8_056);
    expect(floor.view(account).isCalled).toBe(true);
    expect(floor.reported()).toEqual(['updated 4980']);
    floor.quote(8_060, 8_061);
    expect(floor.view(account).isCalled).toBe(false);
    expect(floor.position(account).quantity.toFixed()).toBe('2');
  });

  test('its orders are canceled first', () => {
    const { floor, account } = recordD('0.005');
    floor.place(account, 'more', { side: 'buy', lots: 1, ticks: 5_000 });
    floor.reported();
    floor.quote(7_900, 7_901);
    expect(floor.reported().slice(0, 2)).toEqual([
      'canceled more---- 0/1',
      'new system-00000001 0/2',
    ]);
  });
});

describe('where the market is', () => {
  test('empty, it is tried again in every step until somebody buys', () => {
    const { floor, account } = recordD('0.005');
    floor.quote(0, 7_901);
    floor.print(7_900, 1, 'sell');
    expect(floor.position(account).quantity.toFixed()).toBe('2');
    const buyer = floor.account({ USDT: '100000' });
    floor.place(buyer, 'buy', { side: 'buy', lots: 5, ticks: 7_890, margin: false });
    expect(floor.view(account).positions).toEqual([]);
    // 4,980 − 2 × 2,110 − 15.78 − 78.90
    expect(floor.margin(account)).toBe('665.32');
  });

  test('thin and beyond what account and fund can bear, only so much is sold', () => {
    const { floor, account } = recordD('0.005');
    const [good, bad] = [floor.account({ USDT: '100000' }), floor.account({ USDT: '100000' })];
    floor.place(good, 'good', { side: 'buy', lots: 1, ticks: 7_900, margin: false });
    floor.place(bad, 'bad', { side: 'buy', lots: 5, ticks: 100, margin: false });
    floor.quote(0, 7_901);
    expect(floor.position(account).quantity.toFixed()).toBe('1');
    // The middle is at 4,000 now, beyond what is left: it goes at any price.
    floor.quote(0, 7_900);
    expect(floor.view(account).positions).toEqual([]);
    expect(floor.margin(account)).toBe('0');
    expect(floor.sum('USDT')).toBe('205000');
  });
});

describe('futures whose fund is empty', () => {
  /** A long of 10 against two shorts, of 6 and of 4; the index falls to 70. */
  function deleveraged(): { floor: MarginFloor; long: number; shorts: readonly number[] } {
    const floor = new MarginFloor([
      perpetual({ takeRate: '0.001', margin: onMargin({ forceCloseFee: '0' }) }),
    ]);
    const symbol = 'BTCUSDT_PERP';
    const accounts = ['200', '1000', '1000'].map((margin) => {
      const account = floor.account({}, '1000');
      floor.set(account, margin, { symbol, leverage: '10' });
      return account;
    });
    const [long, ...shorts] = accounts;
    const order = { symbol, ticks: 100 };
    floor.exchange.margin.index(0, decimal('100'), floor.exchange.now);
    floor.place(shorts[0], 'a', { ...order, side: 'sell', lots: 4, ticks: 101 });
    floor.place(shorts[1], 'b', { ...order, side: 'sell', lots: 6, ticks: 99 });
    floor.place(long, 'c', { ...order, side: 'buy', lots: 10, ticks: 101 });
    floor.reported();
    return { floor, long, shorts };
  }

  test('are reduced from the most profitable on, at the price at which nothing is left', () => {
    const { floor, long, shorts } = deleveraged();
    const symbol = 'BTCUSDT_PERP';
    // Cost 6 × 99 + 4 × 101 = 998, fee 0.998, so 199.002 are there: (998 − 199.002) ÷ 10 = 79.8998, up to 80.
    floor.exchange.margin.index(0, decimal('70'), floor.exchange.now);
    expect(floor.reported()).toEqual([
      'closeTrade 80.002 #2 4 pnl -119',
      'closed 1114 #1 0 pnl 114',
      'liquidated 1.002 #2 0 pnl -79',
      'closed 1084 #3 0 pnl 84',
    ]);
    expect(floor.view(long, { symbol }).positions).toEqual([]);
    expect(floor.margin(long, { symbol })).toBe('1.002');
    for (const short of shorts) expect(floor.view(short, { symbol }).positions).toEqual([]);
    expect(shorts.map((short) => floor.margin(short, { symbol }))).toEqual(['1084', '1114']);
    const { derivatives } = floor.exchange;
    expect(floor.row(POOL, 'USDT', 0, derivatives)).toBe('0');
    expect(floor.sum('USDT', derivatives)).toBe('3000');
    expect(floor.exchange.margin.ended(shorts[0])).toMatchObject([{ end: 'deleveraged' }]);
  });

  test('are reduced no further than there is to take over, and see before how near they are', () => {
    const { floor, long, shorts } = deleveraged();
    const symbol = 'BTCUSDT_PERP';
    const third = floor.account({}, '1000');
    floor.set(third, '1000', { symbol, leverage: '10' });
    floor.quote(95, 0, 100, symbol);
    floor.place(third, 'd', { symbol, side: 'sell', lots: 5 });
    floor.exchange.margin.index(0, decimal('90'), floor.exchange.now);
    const places = [...shorts, third].map((one) => floor.position(one, { symbol }).adlIndicator);
    expect(places).toEqual([3, 4, 1]);
    floor.quote(0, 0, 0, symbol);
    floor.exchange.margin.index(0, decimal('70'), floor.exchange.now);
    expect(floor.view(long, { symbol }).positions).toEqual([]);
    const left = [...shorts, third].map((one) =>
      floor.view(one, { symbol }).positions.map(({ quantity }) => quantity.toNumber()),
    );
    expect(left).toEqual([[-4], [], [-1]]);
  });
});
