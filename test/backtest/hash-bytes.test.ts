import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HashBytes } from '../../src/backtest/hash-bytes.ts';

type Value =
  | { readonly kind: 'word'; readonly value: string }
  | { readonly kind: 'code'; readonly value: number }
  | { readonly kind: 'number'; readonly value: number | undefined }
  | { readonly kind: 'text'; readonly value: string | undefined };

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ kind: fc.constant('code' as const), value: fc.integer({ min: 0, max: 255 }) }),
  fc.record({
    kind: fc.constant('number' as const),
    value: fc.option(fc.maxSafeInteger(), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('word' as const), value: fc.string({ maxLength: 2 }) }),
  fc.record({
    kind: fc.constant('text' as const),
    value: fc.string({ minLength: 200, maxLength: 300 }),
  }),
  fc.record({
    kind: fc.constant('text' as const),
    value: fc.option(fc.string({ unit: 'binary', maxLength: 12 }), { nil: undefined }),
  }),
);

/** The same bytes, one value after the other. */
function bytesOf(values: readonly Value[]): Buffer {
  const words = new Map<string, number>();
  return Buffer.concat(
    values.flatMap((one) => {
      if (one.kind === 'code') return [Buffer.from([one.value])];
      if (one.kind === 'number') return [double(one.value)];
      if (one.kind === 'text') return textBytes(one.value);
      const known = words.get(one.value);
      if (known !== undefined) return [Buffer.from([known])];
      if (words.size < 255) words.set(one.value, words.size + 1);
      return [Buffer.from([0]), ...textBytes(one.value)];
    }),
  );
}

function double(number: number | undefined): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number ?? Number.NEGATIVE_INFINITY);
  return bytes;
}

function textBytes(text: string | undefined): Buffer[] {
  if (text === undefined) return [Buffer.from([254])];
  const { length } = text;
  const before = length < 254 ? [Buffer.from([length])] : [Buffer.from([255]), double(length)];
  const isWide = Array.from({ length }, (_, at) => text.charCodeAt(at)).some((code) => code > 255);
  const pieces = length < 254 ? [text] : (text.match(/[^]{1,4096}/g) ?? []);
  return [
    ...before,
    ...pieces.flatMap((piece) => [
      Buffer.from([isWide ? 2 : 1]),
      Buffer.from(piece, isWide ? 'utf16le' : 'latin1'),
    ]),
  ];
}

function hashOf(values: readonly Value[]): string {
  const hash = new HashBytes();
  for (const one of values) {
    if (one.kind === 'code') hash.code(one.value);
    else if (one.kind === 'number') hash.number(one.value);
    else if (one.kind === 'word') hash.word(one.value);
    else hash.text(one.value);
  }
  return hash.digest();
}

describe('the bytes that are hashed', () => {
  test('are those of the values one after the other, however many blocks they fill', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 60 }),
        fc.integer({ min: 1, max: 200 }),
        (few, times) => {
          const values = Array.from({ length: times }, () => few).flat();
          const expected = createHash('sha256').update(bytesOf(values)).digest('hex');
          expect(hashOf(values)).toBe(expected);
        },
      ),
    );
  });

  test('differ where one character, the place of a border or the presence of a value differs', () => {
    const text = (value: string | undefined): Value => ({ kind: 'text', value });
    const hashes = [
      [text('ab'), text('c')],
      [text('a'), text('bc')],
      [text('abc')],
      [text('abc'), text('')],
      [text('abc'), text(undefined)],
      [text('ab\u0107')],
      [text('ab\ud800')],
      [text('ab\ufffd')],
      [text('x'.repeat(9_000))],
      [text(`${'x'.repeat(8_999)}y`)],
    ].map(hashOf);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
