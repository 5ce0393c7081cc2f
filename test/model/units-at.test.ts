import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../src/model/decimal.ts';
import { unitsAt } from '../../src/model/decimal.ts';

/** The same by arithmetic of decimals. */
function naive(value: Decimal, places: number): number | undefined {
  if (!value.isFinite()) return undefined;
  const units = value.times(new Decimal(10).pow(places));
  const isHeld = units.isInteger() && units.abs().lessThanOrEqualTo(Number.MAX_SAFE_INTEGER);
  return isHeld ? units.toNumber() + 0 : undefined;
}

const digits = fc.stringMatching(/^\d{1,20}$/);
const text = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.integer({ min: 0, max: 8 }))
  .map(([sign, whole, fraction, zeros]) => {
    const tail = '0'.repeat(zeros);
    return fraction === null ? `${sign}${whole}${tail}` : `${sign}${whole}.${tail}${fraction}`;
  });

test('units of a value are those that decimals reckon, at every scale', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: -6, max: 14 }), (given, places) => {
      const value = new Decimal(given);
      expect(unitsAt(value, places)).toBe(naive(value, places));
    }),
    { numRuns: 3_000, seed: 11 },
  );
});

test.each(['0', '-0', '9007199254740991', '9007199254740992', '90071992547.40991', '0.00000001'])(
  'units of %s are exact at the edges',
  (given) => {
    for (const places of [0, 1, 2, 5, 8, 14]) {
      const value = new Decimal(given);
      expect(unitsAt(value, places)).toBe(naive(value, places));
    }
  },
);

test('what is no number has no units', () => {
  expect(unitsAt(new Decimal(Number.NaN), 2)).toBeUndefined();
  expect(unitsAt(new Decimal(Number.POSITIVE_INFINITY), 2)).toBeUndefined();
});
