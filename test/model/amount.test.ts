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

test('units are a number while that holds them exactly, and a BigInt beyond', () => {
  const typed = (amount: Amount): void => {
    const isSafe = Number.isSafeInteger(Number(amount.units)) && BigInt(Number(amount.units)) === BigInt(amount.units); // prettier-ignore
    expect(typeof amount.units).toBe(isSafe ? 'number' : 'bigint');
  };
  fc.assert(
    fc.property(text, text, fc.integer(), (a, b, count) => {
      const [one, other] = [Amount.of(a), Amount.of(b)];
      for (const amount of [one, one.plus(other), one.minus(other), one.times(other)])
        typed(amount);
      for (const amount of [one.timesCount(count), one.negated()]) typed(amount);
    }),
    { numRuns: runs(2_000) },
  );
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  for (const units of [most, -most, most + 1n, -most - 1n]) {
    typed(Amount.units(units, 2));
    typed(Amount.units(units, 2).plus(Amount.units(0, 2)));
  }
  expect(Amount.units(most, 0).plus(Amount.count(1)).units).toBe(most + 1n);
  expect(Amount.units(-most, 0).minus(Amount.count(1)).units).toBe(-most - 1n);
  expect(Amount.units(most, 0).minus(Amount.units(-most, 0)).units).toBe(2n * most);
});

test('two counts are as one product, whatever its size', () => {
  const one = Amount.units(3, 1);
  expect(one.timesCounts(4, -5).toFixed()).toBe('-6');
  expect(one.timesCounts(2 ** 40, 2 ** 40).toFixed()).toBe(
    new Decimal(2).pow(80).times('0.3').toFixed(),
  );
});

test('a quotient is exact where that is possible', () => {
  expect(Amount.units(90, 1).dividedBy(3)).toEqual(Amount.units(30, 1));
  expect(Amount.units(10, 1).dividedBy(8).toFixed()).toBe('0.125');
  expect(
    Amount.units(2n ** 60n, 0)
      .dividedBy(2)
      .toFixed(),
  ).toBe(String(2n ** 59n));
  expect(Amount.count(1).dividedBy(3).toFixed()).toMatch(/^0\.3{400}$/);
});

test('of two amounts one is the smaller and the other the larger', () => {
  const [one, two] = [Amount.units(10, 1), Amount.count(2)];
  expect([Amount.min(one, two), Amount.min(two, one)]).toEqual([one, one]);
  expect([Amount.max(one, two), Amount.max(two, one)]).toEqual([two, two]);
  expect(Amount.min(one, Amount.count(1))).toBe(one);
  expect(Amount.max(one, Amount.count(1))).toBe(one);
  expect([one.equals(Amount.count(1)), one.compare(Amount.count(1))]).toEqual([true, 0]);
});

test('text has no zeros at the end', () => {
  const texts = [
    [1_500, 3],
    [1_000, 3],
    [-5, 3],
    [0, 3],
    [7, 0],
    [-1_230, 1],
  ] as const;
  expect(texts.map(([units, places]) => String(Amount.units(units, places)))).toEqual([
    '1.5',
    '1',
    '-0.005',
    '0',
    '7',
    '-123',
  ]);
});
