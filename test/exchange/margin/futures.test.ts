import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { InstrumentTerms } from '../../../src/model/instrument.ts';
import { micros, parseIsoTime, US_PER_HOUR, US_PER_MINUTE } from '../../../src/platform/time.ts';
import {
  HOUSE,
  instrument,
  MarginFloor,
  onMargin,
  perpetual,
  POOL,
  RECORDED_MARKET,
} from './kit.ts';

const PERP = 'BTCUSDT_PERP';
const MIDNIGHT = parseIsoTime('2026-03-01') ?? micros(0);

/** A perpetual at 99 to 101 without a spot symbol, at 23:50, with two accounts of 1,000 at leverage 10. */
function opened(terms: Partial<InstrumentTerms> = {}) {
  const floor = new MarginFloor([perpetual(terms)], { marketData: {} });
  floor.advance(MIDNIGHT - 10 * US_PER_MINUTE);
  floor.quote(99, 101, 1_000, PERP);
  const accounts = [1, 2].map(() => {
    const account = floor.account({}, '1000');
    floor.set(account, '1000', { symbol: PERP, leverage: '10' });
    return account;
  });
  floor.reported();
  const contract = () => {
    const view = floor.exchange.margin.contract(0);
    if (view === undefined) throw new Error('no contract');
    return view;
  };
  const margin = (account: number) => floor.margin(account, { symbol: PERP });
  return { floor, accounts, contract, margin };
}

describe('the mark price', () => {
  test('is the index and so much of the funding rate as is to come', () => {
    const { floor, contract } = opened({ tickSize: '0.01' });
    floor.quote(3_089_528, 3_089_530, 1_000, PERP);
    floor.exchange.margin.index(0, decimal('30895.29'), floor.exchange.now);
    // 23:50: ten minutes of the eight hours are left, of 0.01%.
    expect(contract().indexPrice?.toFixed()).toBe('30895.29');
    expect(contract().markPrice?.toFixed()).toBe('30895.35');
    floor.advance(MIDNIGHT + 8 * US_PER_HOUR - 22_282_765_000);
    expect(contract().markPrice?.toFixed()).toBe('30897.68');
  });

  test('comes from the spot symbol of the same currencies, where there is one', () => {
    const floor = new MarginFloor([instrument({ tickSize: '0.5' }), perpetual()]);
    floor.advance(MIDNIGHT - 1);
    floor.quote(1, 9, 10, PERP);
    const view = () => floor.exchange.margin.contract(1);
    expect(view()?.markPrice).toBeUndefined();
    floor.quote(200, 203);
    expect(view()?.indexPrice?.toFixed()).toBe('100.75');
    expect(view()?.markPrice?.toFixed()).toBe('101');
    expect(floor.exchange.margin.contract(0)).toBeUndefined();
  });

  test('else from its own book, and its last trade where a side of that is empty', () => {
    const { floor, contract } = opened();
    expect(contract().indexPrice?.toFixed()).toBe('100');
    floor.quote(0, 101, 10, PERP);
    expect(contract().indexPrice?.toFixed()).toBe('100');
    floor.print(97, 1, 'sell', PERP);
    expect(contract().indexPrice?.toFixed()).toBe('97');
  });

  test('judges positions, whose book may be far from it', () => {
    const { floor, accounts, contract } = opened();
    const [long] = accounts;
    floor.place(long, 'buy', { symbol: PERP, side: 'buy', lots: 50 });
    floor.exchange.margin.index(0, decimal('90'), floor.exchange.now);
    expect(floor.position(long, { symbol: PERP }).pnl.toFixed()).toBe('-550');
    floor.exchange.margin.index(0, decimal('80'), floor.exchange.now);
    // 995 − 1,050 is less than nothing: sold at once, at the 99 that are bid.
    expect(floor.view(long, { symbol: PERP }).positions).toEqual([]);
    expect(contract().openInterest.toFixed()).toBe('0');
  });
});

describe('funding', () => {
  test('of a positive rate is paid by longs to shorts at 00:00, 08:00 and 16:00 UTC', () => {
    const { floor, accounts, margin, contract } = opened();
    const [long, short] = accounts;
    floor.place(long, 'buy', { symbol: PERP, side: 'buy', lots: 7 });
    floor.place(short, 'sell', { symbol: PERP, side: 'sell', lots: 3 });
    expect([margin(long), margin(short)]).toEqual(['999.293', '999.703']);
    expect(contract().openInterest.toFixed()).toBe('7');
    floor.reported();
    floor.advance(MIDNIGHT - 1);
    expect(floor.reported()).toEqual([]);
    floor.advance(MIDNIGHT);
    // 7 × 100 × 0.0001 and 3 × 100 × 0.0001; the tape, short of the other 4, gets 0.04.
    expect(floor.reported()).toEqual([
      'funding 0.0001',
      'updated 999.223 #1 7',
      'updated 999.733 #2 -3',
    ]);
    expect([margin(long), margin(short)]).toEqual(['999.223', '999.733']);
    expect(floor.row(RECORDED_MARKET, 'USDT', 0, floor.exchange.derivatives)).toBe('410.04');
    expect(floor.row(HOUSE, 'USDT', 0, floor.exchange.derivatives)).toBe('1.004');
    expect(contract().nextFundingAt).toBe(MIDNIGHT + 8 * US_PER_HOUR);
    expect(floor.position(long, { symbol: PERP }).carry.toFixed()).toBe('-0.07');
  });

  test('leaves what rounding leaves to the house, never less than nothing', () => {
    const { floor, accounts } = opened({ quantityIncrement: '0.0000000001' });
    const [long, short] = accounts;
    floor.place(long, 'buy', { symbol: PERP, side: 'buy', lots: 7 });
    floor.place(short, 'sell', { symbol: PERP, side: 'sell', lots: 3 });
    const { derivatives } = floor.exchange;
    const before = decimal(floor.row(HOUSE, 'USDT', 0, derivatives));
    floor.exchange.margin.index(0, decimal('33'), floor.exchange.now);
    floor.advance(MIDNIGHT);
    const after = decimal(floor.row(HOUSE, 'USDT', 0, derivatives));
    expect(after.minus(before).toFixed()).toBe('0.000000000002');
    expect(floor.sum('USDT', derivatives)).toBe('2000');
  });

  test('is fixed by the samples of the period before: 480 of them, one a minute', () => {
    const { floor, contract } = opened();
    // Orders of 10,000 buy at 101 and sell at 99; the index stands at 103.
    floor.exchange.margin.index(0, decimal('103'), floor.exchange.now);
    floor.advance(MIDNIGHT);
    expect(contract().premiumIndex.toFixed()).toBe('-0.01941747572815534');
    floor.advance(MIDNIGHT + 4 * US_PER_HOUR);
    floor.exchange.margin.index(0, decimal('100'), floor.exchange.now);
    floor.advance(MIDNIGHT + 8 * US_PER_HOUR - 1);
    // 241 samples at −0.0194… and 239 at 0.
    const average = '-0.009749190938511327';
    const rate = '-0.009249190938511327';
    expect(contract().indicativeFundingRate.toFixed()).toBe(rate);
    floor.advance(MIDNIGHT + 8 * US_PER_HOUR);
    expect(contract().avgPremiumIndex.toFixed()).toBe(average);
    expect(contract().fundingRate.toFixed()).toBe(rate);
    expect(floor.reported().at(-1)).toMatch(/^funding -0\.0/);
    floor.advance(MIDNIGHT + 16 * US_PER_HOUR);
    expect(floor.reported()).toEqual([`funding ${rate}`]);
  });

  test('its samples are published as candles', () => {
    const { floor } = opened();
    floor.exchange.margin.index(0, decimal('103'), floor.exchange.now);
    floor.advance(MIDNIGHT - US_PER_MINUTE);
    const { marketData } = floor.exchange;
    for (const [name, value] of [
      ['index', '103'],
      ['mark', '103'],
      ['openInterest', '0'],
    ] as const) {
      expect(marketData?.series(0, name).value?.toFixed()).toBe(value);
    }
    expect(marketData?.series(0, 'premiumIndex').value?.isNegative()).toBe(true);
  });
});

test('a mark price that time alone has moved liquidates too', () => {
  const { floor, contract } = opened({ margin: onMargin({ maxInitialLeverage: '50' }) });
  floor.exchange.margin.index(0, decimal('97'), floor.exchange.now);
  floor.quote(105, 107, 1_000, PERP);
  // Ten samples of (105 − 97) ÷ 97 make a rate of 8.2%, and a mark price of 105 that falls to 97.
  floor.advance(MIDNIGHT);
  expect(contract().markPrice?.toFixed()).toBe('105');
  const account = floor.account({}, '100');
  floor.set(account, '52.4', { symbol: PERP, leverage: '50' });
  floor.place(account, 'buy', { symbol: PERP, side: 'buy', lots: 10 });
  expect(floor.position(account, { symbol: PERP }).priceLiquidation.toFixed()).toBe('103');
  floor.advance(MIDNIGHT + US_PER_HOUR);
  expect(floor.position(account, { symbol: PERP }).quantity.toFixed()).toBe('10');
  floor.advance(MIDNIGHT + 4 * US_PER_HOUR);
  expect(floor.view(account, { symbol: PERP }).positions).toEqual([]);
});

describe('a cash-settled contract', () => {
  const EXPIRY = { contractType: 'cash_settled', expiry: '2026-03-01T12:00:00Z' } as const;
  const NOON = MIDNIGHT + 12 * US_PER_HOUR;

  test('is settled at the mean of its index over the last hour: 30 × 110 and 30 × 112 give 111', () => {
    const { floor, accounts, margin } = opened({ ...EXPIRY, takeRate: '0' });
    const [long, short] = accounts;
    floor.quote(100, 100, 1_000, PERP);
    floor.place(long, 'buy', { symbol: PERP, side: 'buy', lots: 2 });
    floor.place(short, 'rests', { symbol: PERP, side: 'sell', lots: 2, ticks: 200 });
    floor.exchange.margin.index(0, decimal('110'), floor.exchange.now);
    floor.advance(NOON - 30 * US_PER_MINUTE - 1);
    floor.exchange.margin.index(0, decimal('112'), floor.exchange.now);
    floor.reported();
    floor.advance(NOON);
    expect(floor.reported()).toEqual([
      'canceled rests--- 0/2',
      'settled 111',
      'closed 1022 #1 0 pnl 22',
    ]);
    expect(margin(long)).toBe('1022');
    const { derivatives, statuses } = floor.exchange;
    expect(floor.row(POOL, 'USDT', 0, derivatives)).toBe('0');
    expect(floor.sum('USDT', derivatives)).toBe('2000');
    expect(statuses.of(0)).toBe('clearing');
    expect(floor.exchange.margin.ended(long)).toMatchObject([{ end: 'settled' }]);
    const order = { symbol: PERP, side: 'buy', lots: 1, ticks: 90 } as const;
    expect(floor.place(long, 'late', order)?.code).toBe('symbol-suspended');
    // There is no funding, and the index alone is the mark price.
    expect(floor.exchange.margin.contract(0)?.nextFundingAt).toBe(Infinity);
    expect(floor.exchange.margin.contract(0)?.markPrice?.toFixed()).toBe('112');
    floor.advance(NOON + 24 * US_PER_HOUR);
    expect(floor.reported()).toEqual([]);
  });

  test('shorts are settled like longs', () => {
    const { floor, accounts, margin } = opened({ ...EXPIRY, takeRate: '0' });
    const [, short] = accounts;
    floor.quote(100, 100, 1_000, PERP);
    floor.place(short, 'sell', { symbol: PERP, side: 'sell', lots: 2 });
    floor.exchange.margin.index(0, decimal('90'), floor.exchange.now);
    floor.advance(NOON);
    expect(margin(short)).toBe('1020');
    expect(floor.row(POOL, 'USDT', 0, floor.exchange.derivatives)).toBe('0');
  });

  test('without a sample it is settled at what is known', () => {
    const floor = new MarginFloor([perpetual(EXPIRY)]);
    floor.advance(NOON - 1);
    floor.quote(99, 102, 10, PERP);
    const account = floor.account({}, '1000');
    floor.set(account, '1000', { symbol: PERP, leverage: '10' });
    floor.place(account, 'buy', { symbol: PERP, side: 'buy', lots: 1 });
    floor.reported();
    floor.advance(NOON);
    expect(floor.reported()[0]).toBe('settled 101');
  });
});

describe('interest', () => {
  test('is charged on what is open then: quote borrowed for longs, base for shorts, in quote', () => {
    const floor = new MarginFloor([instrument({ takeRate: '0' })], {
      margin: { dailyRates: { USDT: '0.00039', BTC: '0.0003' } },
    });
    floor.advance(MIDNIGHT - 1);
    floor.quote(9_999, 10_001);
    const [long, short, flat] = [1, 2, 3].map(() => {
      const account = floor.account({ USDT: '10000' });
      floor.set(account, '5000');
      return account;
    });
    floor.place(long, 'buy', { side: 'buy', lots: 2 });
    floor.place(short, 'sell', { side: 'sell', lots: 1 });
    floor.reported();
    floor.advance(MIDNIGHT);
    expect(floor.reported()).toEqual(['interestTaken 4997.4 #1 2', 'interestTaken 4999 #2 -1']);
    expect(floor.margin(flat)).toBe('5000');
    expect(floor.row(HOUSE)).toBe('3.6');
    floor.advance(MIDNIGHT + 8 * US_PER_HOUR);
    expect(floor.margin(long)).toBe('4994.8');
    expect(floor.position(long).carry.toFixed()).toBe('-5.2');
  });

  test('costs nothing for a currency without a rate', () => {
    const floor = new MarginFloor([instrument()], { margin: { dailyRates: { USDT: '0.01' } } });
    floor.quote(99, 101);
    const account = floor.account({ USDT: '1000' });
    floor.set(account, '1000');
    floor.place(account, 'sell', { side: 'sell', lots: 1 });
    floor.reported();
    floor.advance(8 * US_PER_HOUR);
    expect(floor.reported()).toEqual([]);
  });

  test('may be what brings an account beyond its limit', () => {
    const floor = new MarginFloor([instrument({ takeRate: '0' })], {
      margin: { dailyRates: { USDT: '0.9' } },
    });
    floor.quote(100, 100);
    const account = floor.account({ USDT: '1000' });
    floor.set(account, '100');
    floor.place(account, 'buy', { side: 'buy', lots: 10 });
    floor.advance(8 * US_PER_HOUR);
    expect(floor.reported().slice(-3)).toEqual([
      'trade system-00000001 sell 10@100',
      'interestTaken -200 #1 10',
      'liquidated -205 #1 0 pnl 0',
    ]);
    expect(floor.margin(account)).toBe('0');
  });
});
