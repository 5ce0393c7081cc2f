import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImportGrid, Precision, stepOf } from '../../../src/feeds/importers/grid.ts';
import { Decimal } from '../../../src/model/decimal.ts';

/** The same by decimal.js: NaN for what is no whole number of steps from zero to 2^53. */
function counted(text: string, step: string): number {
  const value = new Decimal(text);
  if (value.isZero()) return 0;
  if (value.isNegative()) return Number.NaN;
  if (!value.mod(step).isZero()) return Number.NaN;
  const count = value.div(step);
  return count.lessThanOrEqualTo(Number.MAX_SAFE_INTEGER) ? count.toNumber() : Number.NaN;
}

const digits = (most: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most })
    .map((d) => d.join(''));

/** Decimal text of every look that a file may have. */
const texts = fc
  .tuple(
    fc.constantFrom('', '', '', '-'),
    digits(19),
    fc.option(digits(20), { nil: undefined }),
    fc.option(fc.integer({ min: -20, max: 20 }), { nil: undefined }),
  )
  .map(([sign, whole, fraction, exponent]) =>
    [
      sign,
      whole,
      fraction === undefined ? '' : `.${fraction}`,
      exponent === undefined ? '' : `e${exponent}`,
    ].join(''),
  );

const steps = fc.oneof(
  fc.integer({ min: 0, max: 18 }).map(stepOf),
  fc.constantFrom('0.5', '0.25', '0.05', '2.5', '5', '10', '25', '100', '1e-18', '0.00000125'),
);

describe('decimal text on a grid', () => {
  test('is counted as decimal.js counts it', () => {
    fc.assert(
      fc.property(texts, steps, (text, step) => {
        expect(new ImportGrid(step).count(text)).toBe(counted(text, step));
      }),
      { numRuns: 3_000 },
    );
  });

  test('comes back from the number of steps that made it', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), steps, fc.nat(4), (count, step, zeros) => {
        const value = new Decimal(step).times(count).toFixed();
        const padded = value.includes('.') ? value + '0'.repeat(zeros) : value;
        expect(new ImportGrid(step).count(padded)).toBe(count);
      }),
    );
  });

  test.each([
    ['61837.63000000', '0.01', 6_183_763],
    ['0.02000000', '0.00001', 2_000],
    ['0', '0.01', 0],
    ['-0.00', '0.01', 0],
    ['5.', '1', 5],
    ['1e-8', '0.00000001', 1],
    ['4.6E+2', '0.5', 920],
    ['9007199254740991', '1', Number.MAX_SAFE_INTEGER],
    ['90071992547409.91', '0.01', Number.MAX_SAFE_INTEGER],
  ])('%s is on the grid of %s', (text, step, count) => {
    expect(new ImportGrid(step).count(text)).toBe(count);
  });

  test.each([
    ['', 'not a number'],
    ['.', 'not a number'],
    ['.5', 'not a number'],
    ['1.2.3', 'not a number'],
    ['0x10', 'not a number'],
    ['Infinity', 'not a number'],
    ['NaN', 'not a number'],
    [' 1', 'not a number'],
    ['1,5', 'not a number'],
    ['١', 'not a number'],
    ['-1', 'negative'],
    ['61837.635', 'off the grid'],
    ['1e-500', 'off the grid'],
    ['90071992547409.92', 'more than 2^53 steps'],
    ['1e500', 'more than 2^53 steps'],
  ])('"%s" is refused on the grid of 0.01: %s', (text, complaint) => {
    const grid = new ImportGrid('0.01');
    expect(grid.count(text)).toBeNaN();
    expect(grid.complaint(text)).toBe(complaint);
  });

  test('is rounded down where that is asked for', () => {
    fc.assert(
      fc.property(texts, steps, (text, step) => {
        const value = new Decimal(text);
        const floor = value.isZero() ? 0 : value.div(step).floor().toNumber();
        const fits = floor >= 0 && Number.isSafeInteger(floor);
        expect(new ImportGrid(step).countDown(text)).toBe(fits ? floor : Number.NaN);
      }),
    );
  });

  test('needs a step above zero', () => {
    for (const step of ['0', '-0.01', 'x', '']) expect(() => new ImportGrid(step)).toThrow(step);
  });
});

describe('the precision of a column', () => {
  test('is the finest decimal that is not a trailing zero', () => {
    fc.assert(
      fc.property(fc.array(texts.filter((text) => !text.startsWith('-'))), (column) => {
        const precision = new Precision();
        for (const text of column) expect(precision.see(text)).toBe(true);
        const finest = Math.max(0, ...column.map((text) => new Decimal(text).decimalPlaces()));
        expect(precision.decimals).toBe(finest);
        for (const text of column)
          expect(new Decimal(text).mod(precision.step).isZero()).toBe(true);
      }),
    );
  });

  test.each(['', 'x', '-1', '1e-41', 'NaN'])('does not take "%s"', (text) => {
    expect(new Precision().see(text)).toBe(false);
  });

  test('is one without decimals', () => {
    const precision = new Precision();
    precision.see('46319.0');
    expect(precision.step).toBe('1');
  });
});
