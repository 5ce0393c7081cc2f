import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costShare } from '../../../src/rules/margin/cost-share.ts';

test('a share of the cost is rounded half up', () => {
  expect([1, 2, 3].map((size) => costShare(10n, size, 4))).toEqual([3n, 5n, 8n]);
  expect(costShare(1n, 1, 3)).toBe(0n);
  expect(costShare(2n, 1, 3)).toBe(1n);
});

test('the shares of all lots, one after the other, are the cost', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 30n), sizes, (cost, parts) => {
      let [left, lots] = [cost, parts.reduce((sum, one) => sum + one, 0)];
      for (const size of parts) {
        const share = costShare(left, size, lots);
        // Half a unit off at most.
        const off = 2n * (share * BigInt(lots) - left * BigInt(size));
        expect(off <= BigInt(lots) && off > -BigInt(lots)).toBe(true);
        left -= share;
        lots -= size;
      }
      expect([left, lots]).toEqual([0n, 0]);
    }),
  );
});
