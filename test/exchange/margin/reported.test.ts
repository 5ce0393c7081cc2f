import { describe, expect, test } from 'vitest';
import { micros, parseIsoTime, US_PER_HOUR, US_PER_MINUTE } from '../../../src/platform/time.ts';
import type { ExchangeOptions } from '../../../src/exchange/exchange.ts';
import { HOUSE, MarginFloor, perpetual, RECORDED_MARKET } from './kit.ts';

const PERP = 'BTCUSDT_PERP';
const MIDNIGHT = parseIsoTime('2026-03-01') ?? micros(0);
const HOUR = US_PER_HOUR;

/** A perpetual at 99 to 101 at 23:50; one account long of 7 and one short of 3, at leverage 10. */
function held(options: ExchangeOptions = {}) {
  const floor = new MarginFloor([perpetual()], options);
  floor.advance(MIDNIGHT - 10 * US_PER_MINUTE);
  floor.quote(99, 101, 1_000, PERP);
  const [long, short] = [1, 2].map(() => {
    const account = floor.account({}, '1000');
    floor.set(account, '1000', { symbol: PERP, leverage: '10' });
    return account;
  });
  floor.place(long, 'buy', { symbol: PERP, side: 'buy', lots: 7 });
  floor.place(short, 'sell', { symbol: PERP, side: 'sell', lots: 3 });
  const carry = () =>
    [long, short].map((account) => floor.position(account, { symbol: PERP }).carry.toFixed());
  return { floor, long, short, carry };
}

const only = { margin: { reportedFunding: [PERP] } };

describe('a mark price of the venue', () => {
  test('judges positions to the last part of a tick, and no rule of the exchange any more', () => {
    const { floor, long } = held();
    floor.mark('100.123456789012345');
    expect(floor.exchange.margin.price(0)?.toFixed()).toBe('100.123456789012345');
    expect(floor.position(long, { symbol: PERP }).pnl.toFixed()).toBe('-6.135802476913585');
    floor.quote(150, 151, 1_000, PERP);
    floor.index('149.5');
    floor.advance(MIDNIGHT + 9 * HOUR);
    expect(floor.exchange.margin.price(0)?.toFixed()).toBe('100.123456789012345');
    expect(floor.exchange.margin.contract(0)?.indexPrice?.toFixed()).toBe('149.5');
  });

  test('liquidates at the part of a tick that reaches the limit, and not one before', () => {
    const floor = new MarginFloor([perpetual()]);
    floor.advance(MIDNIGHT - 10 * US_PER_MINUTE);
    floor.quote(99, 101, 1_000, PERP);
    const account = floor.account({}, '1000');
    floor.set(account, '100.707', { symbol: PERP, leverage: '10' });
    floor.place(account, 'buy', { symbol: PERP, side: 'buy', lots: 7 });
    // 100 are left of the funds: (707 − 100) ÷ (7 × (1 − 0.001 − 1/20)) = 91.3743790456119223242…
    expect(floor.position(account, { symbol: PERP }).priceLiquidation.toFixed()).toBe('92');
    floor.mark('91.374379045611923');
    expect(floor.view(account, { symbol: PERP }).positions).toHaveLength(1);
    floor.mark('91.374379045611922');
    expect(floor.view(account, { symbol: PERP }).positions).toEqual([]);
  });

  test('is no price where it is not above zero', () => {
    const { floor } = held();
    floor.mark('0');
    floor.index('0');
    expect(floor.exchange.margin.price(0)?.toFixed()).toBe('100');
    floor.mark('0.25');
    expect(floor.exchange.margin.price(0)?.toFixed()).toBe('0.25');
  });
});

describe('a funding of the venue', () => {
  test('is paid once at its time, at its rate and at the mark of that time, before the row that passes it', () => {
    const { floor, carry } = held();
    floor.mark('100.5');
    floor.funding('0.001', MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR);
    floor.reported();
    floor.advance(MIDNIGHT + HOUR - 1);
    // Midnight is no time of this venue.
    expect(floor.reported()).toEqual([]);
    floor.at = MIDNIGHT + HOUR + 5;
    floor.mark('200');
    // 7 × 100.5 × 0.001; the tape gets what the short does not.
    expect(floor.reported()).toEqual([
      'funding 0.001',
      'updated 998.5895 #1 7',
      'updated 1000.0045 #2 -3',
    ]);
    expect(carry()).toEqual(['-0.7035', '0.3015']);
    expect(floor.row(RECORDED_MARKET, 'USDT', 0, floor.exchange.derivatives)).toBe('410.402');
    expect(floor.exchange.margin.contract(0)?.nextFundingAt).toBe(MIDNIGHT + 2 * HOUR);
    // The same again says nothing new.
    floor.funding('0.001', MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR);
    expect(carry()).toEqual(['-0.7035', '0.3015']);
  });

  test('is the same however few rows come', () => {
    const coarse = held();
    coarse.floor.mark('100');
    coarse.floor.funding('0.001', MIDNIGHT + HOUR);
    coarse.floor.at = MIDNIGHT + 30 * HOUR;
    coarse.floor.quote(99, 101, 1_000, PERP);
    expect(coarse.carry()).toEqual(['-0.7', '0.3']);
    const fine = held();
    fine.floor.mark('100');
    fine.floor.funding('0.001', MIDNIGHT + HOUR);
    for (let hours = 0; hours < 30; hours += 1) {
      fine.floor.at = MIDNIGHT + hours * HOUR;
      fine.floor.quote(99, 101, 1_000, PERP);
    }
    expect(fine.carry()).toEqual(coarse.carry());
  });

  test('is paid to who was there at its time where its rate comes a moment later', () => {
    const { floor, short, carry } = held(only);
    floor.mark('100');
    floor.at = MIDNIGHT + 3_000;
    floor.funding('0.0001', MIDNIGHT, MIDNIGHT + 8 * HOUR);
    expect(carry()).toEqual(['-0.07', '0.03']);
    floor.advance(MIDNIGHT + 8 * HOUR);
    floor.at = MIDNIGHT + 8 * HOUR + 1_000;
    floor.mark('150');
    floor.place(short, 'more', { symbol: PERP, side: 'sell', lots: 2 });
    floor.at = MIDNIGHT + 8 * HOUR + 3_000;
    floor.funding('-0.001', MIDNIGHT + 8 * HOUR, MIDNIGHT + 16 * HOUR);
    expect(carry()).toEqual(['0.63', '-0.27']);
    expect(floor.exchange.margin.missedFundings(0)).toBe(0);
  });

  test('is paid by nobody who came after its time', () => {
    const floor = new MarginFloor([perpetual()], only);
    floor.advance(MIDNIGHT + 1);
    floor.quote(99, 101, 1_000, PERP);
    const account = floor.account({}, '1000');
    floor.set(account, '1000', { symbol: PERP, leverage: '10' });
    floor.place(account, 'buy', { symbol: PERP, side: 'buy', lots: 7 });
    floor.at = MIDNIGHT + 3_000;
    floor.funding('0.0001', MIDNIGHT, MIDNIGHT + 8 * HOUR);
    expect(floor.position(account, { symbol: PERP }).carry.toFixed()).toBe('0');
  });

  test('is not paid and counted where its rate never comes', () => {
    const { floor, carry } = held(only);
    floor.at = MIDNIGHT;
    floor.funding('0.0001', MIDNIGHT, MIDNIGHT + HOUR);
    floor.advance(MIDNIGHT + 2 * HOUR);
    expect(floor.exchange.margin.missedFundings(0)).toBe(1);
    floor.funding('0.0001', MIDNIGHT + 3 * HOUR);
    floor.advance(MIDNIGHT + 9 * HOUR);
    expect(floor.exchange.margin.missedFundings(0)).toBe(1);
    expect(carry()).toEqual(['-0.14', '0.06']);
  });

  test('of an hour ago is paid once, and is not counted as one without a rate', () => {
    const { floor, carry } = held(only);
    floor.mark('100');
    floor.funding('0.001', MIDNIGHT, MIDNIGHT + HOUR);
    floor.advance(MIDNIGHT + HOUR);
    floor.at = MIDNIGHT + 3 * HOUR;
    floor.mark('150');
    expect(floor.exchange.margin.missedFundings(0)).toBe(1);
    floor.funding('0.001', MIDNIGHT + HOUR, MIDNIGHT + 5 * HOUR);
    expect(carry()).toEqual(['-1.4', '0.6']);
    expect(floor.exchange.margin.missedFundings(0)).toBe(0);
  });

  test('that the exchange has paid by its own rule is not paid again, and its rate is no longer known', () => {
    const { floor, carry } = held();
    floor.mark('100');
    floor.advance(MIDNIGHT);
    floor.at = MIDNIGHT + 3_000;
    floor.funding('0.001', MIDNIGHT, MIDNIGHT + HOUR);
    floor.advance(MIDNIGHT + 2 * HOUR);
    expect(carry()).toEqual(['-0.07', '0.03']);
    expect(floor.exchange.margin.missedFundings(0)).toBe(1);
  });

  test('is not lost where the venue speaks of the next one a moment before', () => {
    const { floor, carry } = held();
    floor.mark('100');
    floor.funding('0.001', MIDNIGHT);
    floor.at = MIDNIGHT - 1_000;
    floor.funding('0.002', MIDNIGHT + HOUR);
    floor.advance(MIDNIGHT);
    expect(carry()).toEqual(['-0.7', '0.3']);
    floor.advance(MIDNIGHT + HOUR);
    expect(carry()).toEqual(['-2.1', '0.9']);
    floor.advance(MIDNIGHT + 100 * HOUR);
    expect(carry()).toEqual(['-2.1', '0.9']);
  });

  test('continues at 00:00, 08:00 and 16:00 UTC where a rate is reported without times', () => {
    const { floor, carry } = held(only);
    floor.mark('100');
    floor.funding('0.001', 0);
    floor.advance(MIDNIGHT + 16 * HOUR);
    expect(carry()).toEqual(['-2.1', '0.9']);
  });

  test('of a rate that is announced moves the mark by the time between fundings', () => {
    const { floor } = held();
    floor.index('10000');
    floor.funding('0.01', MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR);
    floor.advance(MIDNIGHT + HOUR / 2);
    expect(floor.exchange.margin.price(0)?.toFixed()).toBe('10050');
    expect(floor.row(HOUSE, 'USDT', 0, floor.exchange.derivatives)).toBe('1.004');
  });

  test("before one is reported is the exchange's own, unless only the venue calculates it", () => {
    const own = held();
    own.floor.advance(MIDNIGHT);
    expect(own.carry()).toEqual(['-0.07', '0.03']);
    const reported = held(only);
    reported.floor.advance(MIDNIGHT);
    expect(reported.carry()).toEqual(['0', '0']);
    expect(reported.floor.exchange.margin.contract(0)?.nextFundingAt).toBe(Infinity);
  });
});
