import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { MarginFloor, perpetual } from './kit.ts';

/** A long of 2 at 10,000 with 4,980 on margin at leverage 10: record D, called at 8,055.05, beyond at 7,913.59. */
function held(available: string): { floor: MarginFloor; account: number } {
  const floor = new MarginFloor();
  floor.quote(9_999, 10_000);
  const account = floor.account({ USDT: '5000' });
  floor.set(account, '5000');
  floor.place(account, 'open', { side: 'buy', lots: 2, ticks: 10_000 });
  if (available !== '0') floor.exchange.deposit(account, 'USDT', decimal(available));
  floor.reported();
  return { floor, account };
}

describe('an account whose funds are to be replenished', () => {
  test('gets at the margin call what brings it back to its own leverage', () => {
    const { floor, account } = held('5000');
    floor.exchange.margin.replenish(account, 'margin', true);
    floor.quote(8_054, 8_055);
    // Two at 8,054.5 keep 2 × 8,054.5 × (1/10 + 0.001) = 1,627.009; 4,980 − 3,891 = 1,089 are there.
    expect(floor.reported()).toEqual(['marginChanged 5518.009']);
    expect(floor.row(account)).toBe('4461.991');
    expect(floor.view(account).isCalled).toBe(false);
  });

  test('is saved from a liquidation by it', () => {
    const { floor, account } = held('5000');
    floor.exchange.margin.replenish(account, 'margin', true);
    floor.quote(7_000, 7_001);
    expect(floor.reported()).toEqual(['marginChanged 7413.101']);
    expect(floor.position(account).quantity.toFixed()).toBe('2');
  });

  test('is liquidated where all that is available does not save it', () => {
    const { floor, account } = held('10');
    floor.exchange.margin.replenish(account, 'margin', true);
    floor.quote(7_800, 7_801);
    const reasons = floor.reported().filter((line) => /^(marginChanged|liquidated) /.test(line));
    expect(reasons).toEqual([
      'marginChanged 4990',
      expect.stringMatching(/^liquidated .* pnl -4400$/),
    ]);
    expect(floor.row(account)).toBe('0');
  });

  test('gets nothing without available funds, and is called', () => {
    const { floor, account } = held('0');
    floor.exchange.margin.replenish(account, 'margin', true);
    floor.quote(8_054, 8_055);
    expect(floor.reported()).toEqual(['updated 4980']);
  });

  test('is left alone where that is not, or no more, wanted of its kind', () => {
    const { floor, account } = held('5000');
    const { margin } = floor.exchange;
    margin.replenish(account, 'futures', true);
    margin.replenish(account, 'margin', true);
    margin.replenish(account, 'margin', false);
    expect(margin.isReplenished(account, 'futures')).toBe(true);
    expect(margin.isReplenished(account, 'margin')).toBe(false);
    floor.quote(8_054, 8_055);
    expect(floor.view(account).isCalled).toBe(true);
    expect(floor.row(account)).toBe('5000');
  });
});

test('a cross account of futures is replenished from the derivatives balance', () => {
  const floor = new MarginFloor([perpetual()]);
  const at = 'BTCUSDT_PERP';
  const account = floor.account({}, '3000');
  floor.exchange.margin.index(0, decimal('10000'), floor.exchange.now);
  floor.quote(9_999, 10_000, 1_000, at);
  floor.set(account, '2500', { symbol: at, mode: 'cross', leverage: '10' });
  floor.place(account, 'open', {
    symbol: at,
    side: 'buy',
    lots: 1,
    ticks: 10_000,
    margin: 'cross',
  });
  floor.exchange.margin.replenish(account, 'futures', true);
  floor.reported();
  // The mark is 8,001: 2,490 − 1,999 = 491 are there, and 8,001 × (1/10 + 0.001) = 808.101 are to be kept.
  floor.exchange.margin.index(0, decimal('8000'), floor.exchange.now);
  expect(floor.reported()).toEqual(['marginChanged 2807.101']);
});
