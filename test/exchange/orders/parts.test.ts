import { describe, expect, test } from 'vitest';
import { Orders } from '../../../src/exchange/orders/orders.ts';
import { Remainders } from '../../../src/exchange/orders/remainders.ts';
import { BUY, SELL, sideCode, sideName, signOf } from '../../../src/exchange/orders/side.ts';
import { StopPrices } from '../../../src/exchange/orders/stop-prices.ts';
import { dayEnd } from '../../../src/exchange/orders/trading-day.ts';
import { micros, US_PER_DAY, US_PER_MINUTE } from '../../../src/platform/time.ts';
import { opening } from './opening.ts';

test('sides are numbers that lead back to them, and keys rise to the best price of each', () => {
  expect([BUY, SELL]).toEqual([0, 1]);
  expect([sideCode('buy'), sideCode('sell')]).toEqual([BUY, SELL]);
  expect([sideName(BUY), sideName(SELL)]).toEqual(['buy', 'sell']);
  expect([signOf(BUY), signOf(SELL)]).toEqual([1, -1]);
});

test.each([
  [0, 0],
  [US_PER_DAY - US_PER_MINUTE - 1, 0],
  [US_PER_DAY - US_PER_MINUTE, 1],
  [US_PER_DAY - 1, 1],
  [US_PER_DAY, 1],
  [20 * US_PER_DAY + 1, 20],
])('a Day order of %i us ends at 23:59 of day %i', (at, day) => {
  expect(dayEnd(micros(at))).toBe((day + 1) * US_PER_DAY - US_PER_MINUTE);
});

describe('stop prices', () => {
  test('are those of orders that wait for one, and 0 for the others', () => {
    const orders = new Orders(1);
    const stops = new StopPrices(orders);
    const stop = orders.open(opening({ type: 'stopLimit', ticks: 90 }));
    stops.set(stop, 95);
    expect(stops.ticks(stop)).toBe(95);
    const profit = orders.open(opening({ type: 'takeProfitMarket', ticks: 0 }));
    stops.set(profit, 97);
    expect(stops.ticks(profit)).toBe(97);
    // A limit order in a slot that a stop had before.
    orders.release(stop);
    const limit = orders.open(opening());
    expect(limit).toBe(stop);
    expect(stops.ticks(limit)).toBe(0);
  });

  test('are kept of however many orders', () => {
    const orders = new Orders(1);
    const stops = new StopPrices(orders);
    for (let i = 0; i < 300; i += 1) {
      const order = orders.open(opening({ type: 'stopMarket', ticks: 0 }));
      // From the last one on, so that the room has to grow by more than once at a time.
      if (order % 130 === 64) stops.set(order, order + 1);
    }
    expect([64, 194].map((order) => stops.ticks(order))).toEqual([65, 195]);
    stops.set(299, 7);
    expect([64, 194, 299].map((order) => stops.ticks(order))).toEqual([65, 195, 7]);
  });

  test('decide what a buy holds where it has no limit price: a tenth more', () => {
    const orders = new Orders(1);
    const stops = new StopPrices(orders);
    const open = (change: Parameters<typeof opening>[0], ticks: number): number => {
      const order = orders.open(opening(change));
      stops.set(order, ticks);
      return stops.reserveTicks(order);
    };
    expect(open({ type: 'stopLimit', ticks: 90 }, 95)).toBe(90);
    expect(open({ type: 'stopMarket', ticks: 0 }, 100)).toBe(110);
    expect(stops.reserveTicks(orders.open(opening({ type: 'market', ticks: 0 })))).toBe(0);
    expect(stops.reserveTicks(orders.open(opening({ ticks: 90 })))).toBe(90);
  });
});

describe('orders that go on at the next print', () => {
  const floor = () => {
    const orders = new Orders(8);
    const all = [0, 1, 0, 0].map((instrument) => orders.open(opening({ instrument })));
    return { orders, all, remainders: new Remainders(orders, 2) };
  };

  test('are counted, and found by their instrument', () => {
    const { all, remainders } = floor();
    const [first, other, second] = all;
    expect(remainders.has(first)).toBe(false);
    remainders.add(first, 10);
    remainders.add(other, 11);
    remainders.add(second, 12);
    expect(remainders.count).toBe(3);
    expect(all.map((order) => remainders.has(order))).toEqual([true, true, true, false]);
    expect(remainders.upTo(0, 99)).toEqual([first, second]);
    expect(remainders.upTo(1, 99)).toEqual([other]);
  });

  test('were there at a time or before, first come first', () => {
    const { all, remainders } = floor();
    const [first, , second, third] = all;
    remainders.add(third, 12);
    remainders.add(first, 10);
    remainders.add(second, 11);
    expect(remainders.upTo(0, 9)).toEqual([]);
    expect(remainders.upTo(0, 10)).toEqual([first]);
    expect(remainders.upTo(0, 12)).toEqual([third, first, second]);
  });

  test('say since when they were there as they are taken out, once', () => {
    const { all, remainders } = floor();
    const [first, other, second] = all;
    expect(remainders.remove(first)).toBeUndefined();
    remainders.add(first, 10);
    remainders.add(other, 11);
    expect(remainders.remove(second)).toBeUndefined();
    expect(remainders.count).toBe(2);
    expect(remainders.remove(first)).toBe(10);
    expect([remainders.count, remainders.has(first), remainders.has(other)]).toEqual([
      ...[1, false, true],
    ]);
    expect(remainders.remove(first)).toBeUndefined();
    expect(remainders.remove(other)).toBe(11);
    expect([remainders.count, remainders.has(other)]).toEqual([0, false]);
  });
});
