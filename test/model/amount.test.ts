import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Amount, NOTHING } from '../../src/model/amount.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { runs } from '../kit/size.ts';

/** A decimal of few digits, of so many that numbers do not hold them, or one at the edge. */
const text = fc
  .tuple(
    fc.oneof(
      fc.bigInt(-1_000n, 1_000n),
      fc.bigInt(-(2n ** 54n), 2n ** 54n),
      fc.bigInt(-(10n ** 40n), 10n ** 40n),
      fc.constantFrom(0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n)),
    ),
    fc.nat(20),
  )
  .map(([units, places]) => new Decimal(`${units}e-${places}`));

test('sums, differences, products and comparisons are those of decimals', () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), (a, b, count) => {
      const [one, other] = [Amount.of(a), Amount.of(b)];
      const zeroes = (value: Decimal): string => value.plus(0).toFixed().replace(/^-0$/, '0');
      expect(one.toFixed()).toBe(zeroes(a));
      expect(one.plus(other).toFixed()).toBe(zeroes(a.plus(b)));
      expect(one.minus(other).toFixed()).toBe(zeroes(a.minus(b)));
      expect(one.times(other).toFixed()).toBe(zeroes(a.times(b)));
      expect(one.timesCount(count).toFixed()).toBe(zeroes(a.times(count)));
      expect(one.negated().toFixed()).toBe(zeroes(a.negated()));
      expect(Math.sign(one.compare(other))).toBe(a.comparedTo(b));
      expect([one.equals(other), one.lessThan(other), one.greaterThan(other)]).toEqual([
        a.equals(b),
        a.lessThan(b),
        a.greaterThan(b),
      ]);
      expect([one.isZero, one.sign]).toEqual([a.isZero(), a.isZero() ? 0 : a.s]);
      expect(JSON.stringify(one)).toBe(JSON.stringify(zeroes(a)));
    }),
    { numRuns: runs(5_000) },
  );
});

test('whole steps are counted down, at the edge of a step too', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.bigInt(0n, 2n ** 60n),
      fc.constantFrom(-1n, 0n, 1n),
      (a, b, n, by) => {
        fc.pre(!b.isZero());
        const step = Amount.of(b.abs());
        expect(String(Amount.of(a.abs()).floorDivide(step))).toBe(
          a.abs().divToInt(b.abs()).toFixed(),
        );
        const near = step.times(Amount.units(n, 0)).plus(Amount.units(by, step.places));
        if (near.sign < 0) return;
        const naive = BigInt(near.unitsAt(near.places)) / BigInt(step.unitsAt(near.places));
        expect(BigInt(near.floorDivide(step))).toBe(naive);
      },
    ),
    { numRuns: runs(5_000) },
  );
});

test('nothing is 0, whatever it was the difference of', () => {
  expect(NOTHING.toFixed()).toBe('0');
  expect(Amount.units(-0, 3).toFixed()).toBe('0');
  expect(Object.is(Amount.count(0).negated().units, 0)).toBe(true);
  expect(Object.is(Amount.units(5, 2).timesCount(-0).units, 0)).toBe(true);
});

test('the double of an amount is that of its decimal, however many digits it has', () => {
  const units = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 40 }), (given, places) => {
      const amount = Amount.units(given, places);
      expect(amount.toNumber()).toBe(amount.toDecimal().toNumber());
    }),
    { numRuns: runs(2_000) },
  );
});
