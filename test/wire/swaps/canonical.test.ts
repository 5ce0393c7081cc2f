import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalBody, canonicalText } from '../../../src/wire/swaps/canonical.ts';

/** JSON of one value with its members in any order and white space anywhere. */
function shuffled(value: unknown, chance: () => number): string {
  const space = chance() > 0.5 ? ' \n' : '';
  if (Array.isArray(value)) {
    return `[${value.map((one) => space + shuffled(one, chance)).join(`${space},`)}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .map(([key, member]) => [chance(), key, member] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, key, member]) => `${JSON.stringify(key)}${space}:${space}${shuffled(member, chance)}`);
  return `{${space}${members.join(`,${space}`)}${space}}`;
}

describe('a body', () => {
  test('is the same text in whatever order and with whatever white space it is written, and means the same', () => {
    const orders = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 40,
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), orders, (value, numbers) => {
        let at = 0;
        const chance = (): number => numbers[at++ % numbers.length] ?? 0;
        const text = shuffled(value, chance);
        const canonical = canonicalBody(text);
        expect(canonical).toBe(canonicalBody(JSON.stringify(value)));
        expect(JSON.parse(canonical ?? '')).toEqual(JSON.parse(text));
      }),
    );
  });

  test('has its keys in order, at all depths, with numbers as they are written', () => {
    expect(canonicalBody('{ "b": [ {"d": 1.50, "c": 1e3} ], "a": 12345678901234567890 }')).toBe(
      '{"a":12345678901234567890,"b":[{"c":1e3,"d":1.50}]}',
    );
    expect(canonicalBody('{"__proto__":1,"10":2,"9":3}')).toBe('{"10":2,"9":3,"__proto__":1}');
  });

  test('that is no JSON has no such text, and is signed as it is', () => {
    expect(canonicalBody('{a:1}')).toBeUndefined();
    expect(canonicalBody('['.repeat(200_000) + ']'.repeat(200_000))).toBeUndefined();
    const parts = { method: 'POST', path: '/v1/quotes', query: '', body: 'a=1' };
    expect(canonicalText(parts)).toBe('POST:/v1/quotes::a=1');
  });
});

test('values of one key stay in their order, and keys are sorted', () => {
  const parts = { method: 'GET', path: '/v1/tokens', body: '' };
  expect(canonicalText({ ...parts, query: 'b=2&a=9&b=1&ab' })).toBe(
    'GET:/v1/tokens:a=9&ab&b=2&b=1:',
  );
});
