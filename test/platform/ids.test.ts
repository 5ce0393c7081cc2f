import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderIds } from '../../src/platform/ids.ts';

const LEGAL = /^[A-Za-z0-9_-]{8,32}$/;
const legalPrefix = fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/);

test('ids of a prefix are legal and differ, from the first to the last that can be counted', () => {
  fc.assert(
    fc.property(legalPrefix, fc.maxSafeNat(), (prefix, start) => {
      const ids = new OrderIds(prefix, Math.min(start, Number.MAX_SAFE_INTEGER - 3));
      const made = [ids.next(), ids.next(), ids.next()];
      for (const id of made) expect(id).toMatch(LEGAL);
      expect(new Set(made).size).toBe(3);
    }),
  );
});

test('the same prefix gives the same ids in the same order', () => {
  const first = new OrderIds('ema-1');
  const second = new OrderIds('ema-1');
  for (let i = 0; i < 100; i += 1) expect(first.next()).toBe(second.next());
});

test('ids go on where an earlier run ended', () => {
  const first = new OrderIds('r');
  for (let i = 0; i < 40; i += 1) first.next();
  expect(new OrderIds('r', 40).next()).toBe(first.next());
});

test('ids count in base 36, padded to the shortest legal length', () => {
  const ids = new OrderIds('r', 35);
  expect([ids.next(), ids.next()]).toEqual(['r-00000z', 'r-000010']);
  expect(new OrderIds('strategy').next()).toBe('strategy-0000');
});

test.each(['', 'a b', 'ä', 'x'.repeat(17), 'a/b'])('"%s" is no prefix', (prefix) => {
  expect(() => new OrderIds(prefix)).toThrow(RangeError);
});

test.each([-1, 0.5, Number.NaN])('%d is no count', (start) => {
  expect(() => new OrderIds('run', start)).toThrow(RangeError);
});
