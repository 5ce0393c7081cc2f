import fc from 'fast-check';
import { from } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { derive, sma } from '../../../src/index.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { candlesOf } from '../../kit/candles.ts';

const self = (value: number): number => value;

/** Values of an indicator over these numbers, `undefined` while it is not warm. */
const valuesOf = (length: number, values: readonly number[]): (number | undefined)[] =>
  values.map(sma(length, self)());

/** The sum of the last `length` values up to `end`, by BigInt. */
const sumAt = (values: readonly number[], end: number, length: number): bigint =>
  values.slice(end - length + 1, end + 1).reduce((sum, value) => sum + BigInt(value), 0n);

describe('sma', () => {
  test('averages the last closes in ticks and is silent until there are enough', () => {
    const seen: number[] = [];
    from(candlesOf([10, 20, 40, 41]))
      .pipe(derive({ average: sma(3) }))
      .subscribe(({ average }) => seen.push(average));
    expect(seen).toEqual([70 / 3, 101 / 3]);
  });

  test('of length 1 is the value itself', () => {
    expect(valuesOf(1, [3, -5])).toEqual([3, -5]);
  });

  test('its value times its length is the integer sum to the last digit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: -1e9, max: 1e12 }), { maxLength: 200 }),
        (length, values) => {
          valuesOf(length, values).forEach((value, end) => {
            if (end < length - 1) expect(value).toBeUndefined();
            else expect(value).toBe(Number(sumAt(values, end, length)) / length);
          });
        },
      ),
    );
  });

  test('two averages compare like the fractions that they stand for', () => {
    // Few values, so that ties are many; large ones, up to the promised average · m · n < 2^52.
    const run = fc.tuple(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 440_000_000_000 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 100, maxLength: 300 }),
    );
    let ties = 0;
    fc.assert(
      fc.property(run, ([m, n, base, steps]) => {
        const values = steps.map((step) => base + step);
        const a = valuesOf(m, values);
        const b = valuesOf(n, values);
        for (let end = Math.max(m, n) - 1; end < values.length; end += 1) {
          const left = sumAt(values, end, m) * BigInt(n);
          const right = sumAt(values, end, n) * BigInt(m);
          const [x, y] = [a[end] ?? Number.NaN, b[end] ?? Number.NaN];
          if (left === right && m !== n) ties += 1;
          expect(Math.sign(x - y)).toBe(left > right ? 1 : left < right ? -1 : 0);
        }
      }),
    );
    expect(ties).toBeGreaterThan(100);
  });

  test('beyond the promise, averages that differ by less than 1 in 2^52 can look tied', () => {
    const base = 2 ** 51;
    const [, halves] = valuesOf(2, [base, base + 1]);
    const [, , thirds] = valuesOf(3, [base - 1, base, base + 3]);
    expect([halves, thirds]).toEqual([base + 0.5, base + 0.5]); // the second is base + 2/3
  });

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'refuses %d, which is no whole number that it can add',
    (value) => {
      expect(() => valuesOf(2, [1, value])).toThrow(MillraceError);
      expect(() => valuesOf(2, [1, value])).toThrow(`sma(2) cannot add ${value} exactly`);
    },
  );

  test('refuses sums beyond 2^53', () => {
    const large = 2 ** 52;
    expect(valuesOf(2, [large - 1, large])).toEqual([undefined, (2 ** 53 - 1) / 2]);
    expect(() => valuesOf(2, [large, large])).toThrow(MillraceError);
    expect(() => valuesOf(3, [-large, -large, large])).toThrow(MillraceError);
  });

  test.each([0, -1, 2.5, Number.NaN])('a length of %d is refused', (length) => {
    expect(() => sma(length)).toThrow(`sma(${length}): the length is a whole number`);
  });
});
