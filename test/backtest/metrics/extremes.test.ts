import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SuffixMinimum } from '../../../src/backtest/metrics/extremes.ts';

test('the least value from any place to the end is what a scan finds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 60 }), (values) => {
      const minimum = new SuffixMinimum();
      for (const value of values) minimum.push(value);
      expect(minimum.length).toBe(values.length);
      for (let index = 0; index <= values.length; index += 1) {
        expect(minimum.from(index)).toBe(Math.min(...values.slice(index)));
      }
    }),
  );
});
