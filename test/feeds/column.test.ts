import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromInt64, toInt64 } from '../../src/feeds/column.ts';

const MAX = Number.MAX_SAFE_INTEGER;

describe('whole numbers as 64-bit integers', () => {
  test('are what BigInt makes of them, there and back', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1 }), (numbers) => {
        const words = new Uint32Array(2 * numbers.length);
        expect(toInt64(Float64Array.from(numbers), numbers.length, words)).toBe(-1);
        expect([...new BigInt64Array(words.buffer)]).toEqual(numbers.map(BigInt));
        const back = new Float64Array(numbers.length);
        expect(fromInt64(new Int32Array(words.buffer), numbers.length, back)).toBe(-1);
        expect([...back]).toEqual(numbers);
      }),
    );
  });

  test.each([0.5, MAX + 1, -MAX - 1, Number.NaN, Number.POSITIVE_INFINITY])(
    'are not made of %d, and the error has its line',
    (bad) => {
      expect(toInt64(Float64Array.of(1, 2, bad, bad), 4, new Uint32Array(8))).toBe(2);
      expect(toInt64(Float64Array.of(1, 2, bad, bad), 2, new Uint32Array(8))).toBe(-1);
    },
  );

  test.each([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)])(
    'are not read where a double does not hold them: %s',
    (bad) => {
      const words = new Int32Array(BigInt64Array.of(1n, BigInt(-MAX), bad, BigInt(MAX)).buffer);
      expect(fromInt64(words, 4, new Float64Array(4))).toBe(2);
      expect(fromInt64(words, 2, new Float64Array(4))).toBe(-1);
    },
  );
});
