import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSanitized, sanitize } from '../../src/model/plain-words.ts';

test.each([
  ['Insufficient funds (20001): ≥ 5 € für Ωmega', 'Insufficient funds (20001): ≥ 5 € für Ωmega'],
  ['two\r\nlines\tand a tab', 'two lines and a tab'],
  ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
  ['\u202egnp.exe', '\\u202egnp.exe'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud83d', '\\ud83d'],
  ['\u0000\u007f\u009b', '\\u0000\\u007f\\u009b'],
])('%j becomes %j', (given, plain) => {
  expect(sanitize(given)).toBe(plain);
});

test('whatever is said is one line that can be seen, not longer than it may be, and stays so', () => {
  const sign = fc.integer({ min: 0, max: 0x10ffff });
  const word = fc.array(sign, { maxLength: 60 }).map((signs) => String.fromCodePoint(...signs));
  fc.assert(
    fc.property(fc.oneof(word, fc.string()), fc.integer({ min: 1, max: 50 }), (text, length) => {
      const plain = sanitize(text, length);
      expect(isSanitized(plain)).toBe(true);
      expect(plain.length).toBeLessThanOrEqual(length + 1);
      expect(sanitize(plain, length)).toBe(plain);
    }),
  );
});

test('megabytes become a line in no time', () => {
  expect(sanitize('\u202e'.repeat(8_000_000), 20)).toBe(`${'\\u202e'.repeat(3)}\\u…`);
});

test('words that are cut say so, even where what is left is short', () => {
  expect(sanitize(`a${' '.repeat(40)}b`, 10)).toBe('a …');
  expect(sanitize('a'.repeat(10), 10)).toBe('a'.repeat(10));
  expect(sanitize(`${' '.repeat(10)}${'a'.repeat(10)}`, 10)).toBe(` ${'a'.repeat(9)}…`);
});

test('text is plain unless it has a sign that is not seen', () => {
  expect(['', 'BTC/USDT', 'é', '\u202eBTC', 'BTC\n', 'B\u0000'].map(isSanitized)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
