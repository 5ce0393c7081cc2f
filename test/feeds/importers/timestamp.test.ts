import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTime } from '../../../src/feeds/importers/timestamp.ts';

/** Any microsecond from 1973-03-03, from which on the size of a number tells its unit, to 2200. */
const micros = fc.integer({ min: 100_000_000_000_000, max: 7_258_118_400_000_000 });

describe('a time in a file', () => {
  test('is the same microsecond in every way to write it', () => {
    fc.assert(
      fc.property(micros, fc.integer({ min: 0, max: 999 }), (at, rest) => {
        const digits = String(at);
        const seconds = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
        const iso = new Date(Math.floor(at / 1_000)).toISOString();
        const withMicros = `${iso.slice(0, -1)}${digits.slice(-3)}`;
        const nanoseconds = `${digits}${String(rest).padStart(3, '0')}`;
        for (const text of [
          seconds,
          digits,
          nanoseconds,
          `${withMicros}Z`,
          withMicros.replace('T', ' '),
        ]) {
          expect(readTime(text)).toBe(at);
        }
        expect(readTime(`${digits.slice(0, -3)}.${digits.slice(-3)}`, 'ms')).toBe(at);
      }),
    );
  });

  test.each([
    ['5', 's', 5_000_000],
    ['5', 'ms', 5_000],
    ['5', 'us', 5],
    ['5999', 'ns', 5],
    ['5', 'ns', 0],
    ['0.1', 's', 100_000],
    ['1640991660', undefined, 1_640_991_660_000_000],
  ] as const)('%s in %s is %s microseconds', (text, unit, at) => {
    expect(readTime(text, unit)).toBe(at);
  });

  test.each(['', 'soon', '-5', '1e9', '0x10', '1.2.3', '99999999999999999999'])(
    '"%s" is none',
    (text) => {
      expect(readTime(text, 's')).toBeUndefined();
    },
  );
});
