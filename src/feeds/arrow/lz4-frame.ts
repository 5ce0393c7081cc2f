/** First bytes of a frame, and the flags of its descriptor (LZ4 Frame Format Description 1.6.4). */
const MAGIC = 0x184d2204;
const FLAG = {
  blockChecksum: 0x10,
  contentSize: 0x08,
  contentChecksum: 0x04,
  dictionary: 0x01,
} as const;
const PLAIN_BLOCK = 0x80000000;
/** Shortest match; a length that fills its four bits continues in the following bytes. */
const MATCH_MIN = 4;
const NIBBLE = 15;
const BYTE = 255;

/**
 * Unpacks LZ4 frames, whose blocks may refer to earlier ones. Throws `RangeError` for damaged data, or
 * another length than `length`. Checksums are not compared: the container has its own.
 */
export function unpackLz4(input: Uint8Array, length: number): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const output = new Uint8Array(length);
  let end = 0;
  let at = 0;
  while (at < input.length) {
    if (view.getUint32(at, true) !== MAGIC) throw new RangeError('no LZ4 frame');
    const flags = view.getUint8(at + 4);
    if ((flags & FLAG.dictionary) !== 0) throw new RangeError('an LZ4 dictionary');
    at += 7 + ((flags & FLAG.contentSize) === 0 ? 0 : 8);
    for (;;) {
      const word = view.getUint32(at, true);
      at += 4;
      if (word === 0) break;
      const size = word % PLAIN_BLOCK;
      if (at + size > input.length) throw new RangeError('an LZ4 block is cut off');
      const block = input.subarray(at, at + size);
      end = word >= PLAIN_BLOCK ? copied(block, output, end) : unpackBlock(block, output, end);
      at += size + ((flags & FLAG.blockChecksum) === 0 ? 0 : 4);
    }
    if ((flags & FLAG.contentChecksum) !== 0) at += 4;
  }
  if (end !== length) throw new RangeError(`${end} bytes of LZ4 in place of ${length}`);
  return output;
}

function copied(block: Uint8Array, output: Uint8Array, from: number): number {
  output.set(block, from);
  return from + block.length;
}

/** Unpacks one block after the existing output; returns its end. */
function unpackBlock(block: Uint8Array, output: Uint8Array, from: number): number {
  let [at, end] = [0, from];
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    if (nibble < NIBBLE) return length;
    for (;;) {
      const byte = block[at];
      at += 1;
      length += byte;
      if (byte !== BYTE) return length;
    }
  };
  while (at < block.length) {
    const token = block[at];
    at += 1;
    const literals = lengthOf(token >> 4);
    end = copied(block.subarray(at, at + literals), output, end);
    at += literals;
    // The last sequence of a block has no match.
    if (at >= block.length) break;
    const distance = block[at] + 256 * block[at + 1];
    at += 2;
    const match = lengthOf(token & NIBBLE) + MATCH_MIN;
    if (distance === 0 || distance > end || end + match > output.length) {
      throw new RangeError('a match of LZ4 leads out of the data');
    }
    for (let index = 0; index < match; index += 1)
      output[end + index] = output[end + index - distance];
    end += match;
  }
  return end;
}
