import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  LedgerAmount,
  Factor,
  HIGH_MAX,
  joined,
  LIMB,
} from '../../../src/exchange/ledger/amount.ts';

const count = fc.oneof(
  fc.nat({ max: 1_000 }),
  fc.maxSafeNat(),
  fc.constantFrom(0, 1, 2 ** 26, 2 ** 26 - 1, 2 ** 52, 2 ** 52 - 1, Number.MAX_SAFE_INTEGER),
);
const factor = fc.oneof(
  fc.bigInt({ min: -2000n, max: 2000n }),
  fc.bigInt({ min: -(2n ** 26n), max: 2n ** 26n }),
  fc.bigInt({ min: -(2n ** 120n), max: 2n ** 120n }),
);

test('a product of two limbs is the exact one, or is refused when it takes more', () => {
  const amount = new LedgerAmount();
  let long = 0;
  fc.assert(
    fc.property(count, count, factor, (a, b, exact) => {
      const value = BigInt(a) * BigInt(b) * exact;
      const fits = amount.setProduct(a, b, new Factor(exact));
      if (value > -(2n ** 102n) && value < 2n ** 102n) expect(fits).toBe(true);
      if (!fits) return;
      expect(joined(amount.high, amount.low)).toBe(value);
      expect(amount.low).toBeGreaterThanOrEqual(0);
      expect(amount.low).toBeLessThan(LIMB);
      if (value > 2n ** 53n || value < -(2n ** 53n)) long += 1;
    }),
    { numRuns: 3_000 },
  );
  expect(long).toBeGreaterThan(100);
});

test('products just around a limb are exact', () => {
  const amount = new LedgerAmount();
  for (const [a, b, exact] of [
    [LIMB / 2, 1, 2n],
    [LIMB - 1, 1, 1n],
    [LIMB / 2, 1, -2n],
    [LIMB / 2, 3, -2n],
    [LIMB - 1, 1, -1n],
    [2 ** 26, 2 ** 26, -1n],
    [94_906_267, 94_906_265, 67_108_863n],
  ] as const) {
    expect(amount.setProduct(a, b, new Factor(exact))).toBe(true);
    expect(joined(amount.high, amount.low)).toBe(BigInt(a) * BigInt(b) * exact);
  }
});

test('a whole number is taken up to the bound of the upper limb', () => {
  const amount = new LedgerAmount();
  const top = joined(HIGH_MAX, LIMB - 1);
  expect(amount.set(top)).toBe(true);
  expect(joined(amount.high, amount.low)).toBe(top);
  expect(amount.set(top + 1n)).toBe(false);
  expect(amount.set(-joined(HIGH_MAX, 0) - 1n)).toBe(false);
});
