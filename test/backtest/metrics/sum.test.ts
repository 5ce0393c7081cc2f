import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sum } from '../../../src/backtest/metrics/sum.ts';
import { Amount, NOTHING } from '../../../src/model/amount.ts';

const units = fc.oneof(
  fc.maxSafeInteger().map(BigInt),
  fc.integer({ min: -1_000, max: 1_000 }).map(BigInt),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
);
const amount = fc
  .tuple(units, fc.integer({ min: 0, max: 12 }))
  .map(([count, places]) => Amount.units(count, places));

test('a sum is the exact one, whatever places and sizes its amounts have, and however often it is read', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, fc.boolean()), { maxLength: 40 }), (steps) => {
      const sum = new Sum();
      let expected = NOTHING;
      for (const [value, isRead] of steps) {
        sum.add(value);
        expected = expected.plus(value);
        if (isRead) expect(sum.amount.toFixed()).toBe(expected.toFixed());
      }
      expect(sum.amount.toFixed()).toBe(expected.toFixed());
    }),
  );
});
