import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactSum } from '../../../src/exchange/market-data/exact-sum.ts';
import { RollingDay } from '../../../src/exchange/market-data/rolling-day.ts';
import { US_PER_DAY } from '../../../src/platform/time.ts';

const whole = fc.oneof(
  fc.maxSafeNat(),
  fc.nat({ max: 1_000 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, 2 ** 52, 2 ** 52 - 1, 0),
);

test('a sum is exact, whatever is added and taken away again', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(whole, whole)), fc.nat(), (terms, cut) => {
      const sum = new ExactSum();
      let naive = 0n;
      for (const [a, b] of terms) {
        sum.add(a);
        sum.addProduct(a, b);
        naive += BigInt(a) + BigInt(a) * BigInt(b);
      }
      expect(sum.value).toBe(naive);
      for (const [a, b] of terms.slice(0, cut % (terms.length + 1))) {
        sum.subtract(a);
        sum.subtractProduct(a, b);
        naive -= BigInt(a) + BigInt(a) * BigInt(b);
      }
      expect(sum.value).toBe(naive);
      const twice = new ExactSum();
      twice.addSum(sum);
      twice.addSum(sum);
      expect(twice.value).toBe(2n * naive);
      twice.clear();
      expect(twice.value).toBe(0n);
    }),
    { numRuns: 300 },
  );
});

test('thousands of trades in a day, rising and falling, leave one by one as the window moves on', () => {
  const day = new RollingDay();
  const trades: { at: number; ticks: number; lots: number }[] = [];
  let ticks = 50_000;
  for (let i = 0; i < 6_000; i += 1) {
    // Long runs down make the queue of the highest prices long, and long runs up that of the lowest.
    ticks += Math.floor(i / 700) % 2 === 0 ? -1 : 2;
    const trade = { at: i * 20_000_000, ticks, lots: (i % 5) + 1 };
    trades.push(trade);
    day.trade(trade.at, trade.ticks, trade.lots);
    if (i % 97 !== 0) continue;
    const inside = trades.filter((t) => t.at > trade.at - US_PER_DAY);
    expect(day.highTicks).toBe(Math.max(...inside.map((t) => t.ticks)));
    expect(day.lowTicks).toBe(Math.min(...inside.map((t) => t.ticks)));
    expect(day.lots).toBe(inside.reduce((sum, t) => sum + BigInt(t.lots), 0n));
  }
  const end = 5_999 * 20_000_000 + US_PER_DAY;
  day.age(end - 1);
  const previous = trades[5_998].ticks;
  expect([day.highTicks, day.lowTicks, day.openTicks]).toEqual([ticks, ticks, previous]);
  day.age(end);
  expect([day.highTicks, day.lowTicks, day.lots, day.value]).toEqual([NaN, NaN, 0n, 0n]);
  expect([day.openTicks, day.lastTicks]).toEqual([ticks, ticks]);
});

test('a day of few trades may be followed by one of many', () => {
  const day = new RollingDay();
  for (let i = 0; i < 900; i += 1) day.trade(i, 100 + (i % 7), 1);
  for (let i = 0; i < 3_000; i += 1) day.trade(US_PER_DAY + 1_000 + i, 5_000 - i, 2);
  expect([day.openTicks, day.highTicks, day.lowTicks, day.lots]).toEqual([
    100 + (899 % 7),
    5_000,
    2_001,
    6_000n,
  ]);
  day.age(2 * US_PER_DAY + 1_000 + 2_000);
  expect([day.openTicks, day.highTicks, day.lowTicks, day.lots]).toEqual([
    3_000,
    2_999,
    2_001,
    1_998n,
  ]);
});

test('a volume beyond 2^53 lots and a value beyond 2^106 are exact', () => {
  const day = new RollingDay();
  const most = Number.MAX_SAFE_INTEGER;
  day.trade(0, most, most);
  day.trade(1, most, most);
  day.trade(2, 1, 1);
  expect(day.lots).toBe(2n * BigInt(most) + 1n);
  expect(day.value).toBe(2n * BigInt(most) ** 2n + 1n);
  day.age(US_PER_DAY + 1);
  expect([day.lots, day.value]).toEqual([1n, 1n]);
});
