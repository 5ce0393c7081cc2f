import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, Decimal } from '../../../src/model/decimal.ts';
import { splitAmount, splitLots } from '../../../src/rules/margin/split.ts';

const texts = (amount: string, weights: readonly number[]): readonly string[] =>
  splitAmount(decimal(amount), weights).map((part) => part.toFixed());

describe('an amount in parts by weights', () => {
  test('is rounded down to 12 decimals, and the first of the largest has the rest', () => {
    expect(texts('1', [1, 1, 1])).toEqual(['0.333333333334', '0.333333333333', '0.333333333333']);
    expect(texts('10', [1, 2])).toEqual(['3.333333333333', '6.666666666667']);
  });

  test('is all zero where no weight is', () => {
    expect(texts('7', [0, 0])).toEqual(['0', '0']);
    expect(texts('7', [])).toEqual([]);
  });

  test('adds up to the amount, and each part is within its rounding of its share', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), weights, (count, given) => {
        const all = given.reduce((sum, one) => sum + one, 0);
        fc.pre(all > 0);
        const amount = decimal(String(count)).div(1_000);
        const parts = splitAmount(amount, given);
        expect(Decimal.sum(...parts).equals(amount)).toBe(true);
        const most = decimal('1e-12').times(given.length);
        for (const [index, part] of parts.entries()) {
          const off = part.times(all).minus(amount.times(given[index])).abs();
          expect(off.lessThanOrEqualTo(most.times(all))).toBe(true);
        }
      }),
    );
  });
});

describe('lots in parts by what is held', () => {
  test('go one by one to the largest remainders, of equal ones to who holds more', () => {
    expect(splitLots(5, [4, 4, 2])).toEqual([2, 2, 1]);
    expect(splitLots(2, [3, 1])).toEqual([2, 0]);
    expect(splitLots(1, [1, 1])).toEqual([1, 0]);
  });

  test('are none where nothing is held', () => {
    expect(splitLots(0, [0, 0])).toEqual([0, 0]);
  });

  test('are those of a naive count: each its share rounded down, then one more for some', () => {
    const held = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(held, fc.nat(), (given, seed) => {
        const all = given.reduce((sum, one) => sum + one, 0);
        fc.pre(all > 0);
        const lots = seed % (all + 1);
        // In units of 1 / all, so that nothing is rounded.
        const parts = given.map((one) => Math.floor((lots * one) / all));
        const order = given
          .map((one, index) => ({ index, one, rest: (lots * one) % all }))
          .sort((a, b) => b.rest - a.rest || b.one - a.one || a.index - b.index);
        const left = lots - parts.reduce((sum, one) => sum + one, 0);
        for (const { index } of order.slice(0, left)) parts[index] += 1;
        const split = splitLots(lots, given);
        expect(split).toEqual(parts);
        expect(split.every((part, index) => part <= given[index])).toBe(true);
      }),
    );
  });
});
