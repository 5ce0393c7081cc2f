import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lots, product, ticks } from '../../src/model/units.ts';
import { count } from '../kit/exact.ts';

describe('naming whole numbers', () => {
  test.each([0, 1, -1, 1e15, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])(
    '%d is a number of ticks and of lots',
    (value) => {
      expect(ticks(value)).toBe(value);
      expect(lots(value)).toBe(value);
    },
  );

  test('negative zero becomes zero', () => {
    expect(ticks(-0)).toBe(0);
    expect(lots(-0)).toBe(0);
  });

  test.each([0.5, 2 ** 53, -(2 ** 53), Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    '%d is neither',
    (value) => {
      expect(() => ticks(value)).toThrow(
        expect.objectContaining({ code: 'out-of-range', field: 'ticks' }),
      );
      expect(() => lots(value)).toThrow(
        expect.objectContaining({ code: 'out-of-range', field: 'lots' }),
      );
    },
  );
});

test.each([
  [2.5, 2, 3, 2],
  [2.51, 2, 3, 3],
  [-2.5, -3, -2, -2],
  [-0.4, -1, 0, 0],
  [7, 7, 7, 7],
])('%d is rounded down, up and near only when that is said', (value, down, up, near) => {
  expect([ticks(value, 'down'), ticks(value, 'up'), ticks(value, 'near')]).toEqual([
    down,
    up,
    near,
  ]);
  expect([lots(value, 'down'), lots(value, 'up'), lots(value, 'near')]).toEqual([down, up, near]);
});

describe('the product of whole numbers', () => {
  const signed = fc.tuple(fc.constantFrom(1, -1), count).map(([sign, value]) => sign * value);

  test('is exact for every size, a number while it is safe', () => {
    fc.assert(
      fc.property(signed, signed, (a, b) => {
        const exact = BigInt(a) * BigInt(b);
        const result = product(a, b);
        expect(BigInt(result)).toBe(exact);
        const safe = exact >= -(2n ** 53n) + 1n && exact <= 2n ** 53n - 1n;
        expect(typeof result).toBe(safe ? 'number' : 'bigint');
        expect(Object.is(result, -0)).toBe(false);
      }),
    );
  });

  test.each([
    [0, -5],
    [-5, 0],
    [-0, 7],
  ])('%d times %d is zero and not negative zero', (a, b) => {
    expect(Object.is(product(a, b), 0)).toBe(true);
  });

  test('just beyond 2^53 is a BigInt', () => {
    expect(product(Number.MAX_SAFE_INTEGER, 1)).toBe(Number.MAX_SAFE_INTEGER);
    expect(product(2 ** 52, 2)).toBe(2n ** 53n);
    expect(product(94906267, 94906267)).toBe(94906267n ** 2n);
  });
});

test('a rounding that there is not, and a value that is no number, are told', () => {
  expect(() => ticks(1, 'half' as 'near')).toThrow(
    expect.objectContaining({ code: 'out-of-range', field: 'rounding' }),
  );
  expect(() => ticks(1, 'toString' as 'near')).toThrow('The rounding is one of down, up, near');
  expect(() => ticks(0.5)).toThrow('0.5 is not a whole number of ticks');
  expect(() => lots('5' as unknown as number)).toThrow(
    'A value of type string is not a whole number of lots',
  );
});
