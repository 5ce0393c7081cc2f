import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unpackLz4 } from '../../../src/feeds/arrow/lz4-frame.ts';

/** How a frame is written in the tests: its blocks, and what stands beside them. */
interface Frame {
  readonly blockBytes: number;
  readonly contentSize: boolean;
  readonly checksums: boolean;
}

/** A length as LZ4 writes it behind the four bits that it fills. */
function rest(length: number): number[] {
  if (length < 15) return [];
  const bytes: number[] = [];
  let left = length - 15;
  for (; left >= 255; left -= 255) bytes.push(255);
  return [...bytes, left];
}

/** Packs a part of the bytes greedily; matches reach back before the part. */
function blockOf(bytes: Uint8Array, from: number, till: number): number[] {
  const block: number[] = [];
  let literals: number[] = [];
  for (let at = from; at < till;) {
    const [distance, length] = till - at > 12 ? longest(bytes, at, till - 5) : [0, 0];
    if (length < 4) {
      literals.push(bytes[at]);
      at += 1;
      continue;
    }
    const token = 16 * Math.min(15, literals.length) + Math.min(15, length - 4);
    block.push(token, ...rest(literals.length), ...literals, distance & 255, distance >> 8);
    block.push(...rest(length - 4));
    literals = [];
    at += length;
  }
  return [...block, 16 * Math.min(15, literals.length), ...rest(literals.length), ...literals];
}

function longest(bytes: Uint8Array, at: number, till: number): [distance: number, length: number] {
  let best: [number, number] = [0, 0];
  for (let back = 1; back <= Math.min(at, 200); back += 1) {
    let length = 0;
    while (at + length < till && bytes[at + length] === bytes[at + length - back]) length += 1;
    if (length > best[1]) best = [back, length];
  }
  return best;
}

const word = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);

function frameOf(bytes: Uint8Array, { blockBytes, contentSize, checksums }: Frame): Uint8Array {
  const flags = 0x40 | (contentSize ? 8 : 0) | (checksums ? 0x14 : 0);
  const frame = [
    ...word(0x184d2204),
    flags,
    0x40,
    ...(contentSize ? [...word(bytes.length), ...word(0)] : []),
    0,
  ];
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const till = Math.min(bytes.length, at + blockBytes);
    const packed = blockOf(bytes, at, till);
    const isPlain = packed.length >= till - at;
    frame.push(...word(isPlain ? (till - at) | 0x80000000 : packed.length));
    frame.push(...(isPlain ? bytes.subarray(at, till) : packed));
    if (checksums) frame.push(1, 2, 3, 4);
  }
  return Uint8Array.from([...frame, ...word(0), ...(checksums ? [1, 2, 3, 4] : [])]);
}

describe('an LZ4 frame', () => {
  test('is unpacked to what was packed, over blocks that refer to each other', () => {
    const bytes = fc
      .array(fc.integer({ min: 0, max: 3 }), { maxLength: 400 })
      .map((array) => Uint8Array.from(array));
    const frame = fc.record({
      blockBytes: fc.integer({ min: 20, max: 200 }),
      contentSize: fc.boolean(),
      checksums: fc.boolean(),
    });
    fc.assert(
      fc.property(bytes, frame, (given, how) => {
        expect(unpackLz4(frameOf(given, how), given.length)).toEqual(given);
      }),
    );
  });

  const plain = { blockBytes: 100, contentSize: false, checksums: false };
  const packed = frameOf(new Uint8Array(90).fill(7), plain);
  test.each([
    ['cut off', packed.subarray(0, -9), 90],
    ['of another length', packed, 91],
    ['longer than said', packed, 40],
    ['no frame', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 4],
    ['with a dictionary', packed.map((byte, at) => (at === 4 ? byte | 1 : byte)), 90],
    ['with a match before its beginning', packed.map((byte, at) => (at === 13 ? 200 : byte)), 90],
  ])('is refused where it is %s', (_what, bytes, length) => {
    expect(() => unpackLz4(bytes, length)).toThrow(RangeError);
  });
});
