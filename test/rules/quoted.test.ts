import { expect, test } from 'vitest';
import { quoted } from '../../src/rules/quoted.ts';

test.each<[unknown, string]>([
  ['GTC', '"GTC"'],
  ['line\nbreak', '"line\\nbreak"'],
  ['\ud800', '"\\ud800"'],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
  [Number.NaN, 'NaN'],
  [1.5, '1.5'],
  [true, 'true'],
  [undefined, 'not given'],
  [null, 'not given'],
  [Object.create(null), 'an object'],
  [Symbol('s'), 'a symbol'],
  [10n, 'a bigint'],
  [(): number => 1, 'a function'],
])('%s stands in a message as %s', (value, text) => {
  expect(quoted(value)).toBe(text);
});
