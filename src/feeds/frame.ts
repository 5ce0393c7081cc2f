import { crc32 } from 'node:zlib';
import { encodeFooter } from './arrow/encode.ts';
import type { ArrowSchema, Block, ColumnType } from './arrow/schema.ts';

/**
 * The frame of an Arrow IPC file:
 *
 *     ARROW1 00 00
 *     message*            FFFFFFFF, length of head, head, padding to 8, body
 *     FFFFFFFF 00000000   end of the stream
 *     footer, its length, ARROW1
 *
 * The first message is the schema, as the format asks; it is what a file without a footer is
 * recovered by.
 */
export const MAGIC = Buffer.from('ARROW1');
export const HEAD = Buffer.from('ARROW1\0\0');
export const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
/** Bytes behind the footer: its length and the magic. */
export const TAIL_LENGTH = 4 + MAGIC.length;
/** Bytes before the head of a message: the mark and the length of the head. */
export const PREFIX_LENGTH = 8;
/** Bytes of a schema or footer at most; the footer of a billion rows has 400 KB. */
export const TEXTS_BYTES_MAX = 64 * 1_048_576;
const CONTINUATION = 0xffffffff;
const SEAL_LENGTH = 4;

/** A message's head with the prefix before it, padded so that the body begins on 8 bytes. */
export function messageHead(flatbuffer: Uint8Array): Buffer {
  const head = seal(flatbuffer);
  const prefix = Buffer.alloc(PREFIX_LENGTH);
  prefix.writeUInt32LE(CONTINUATION, 0);
  prefix.writeUInt32LE(head.length, 4);
  return Buffer.concat([prefix, head]);
}

/**
 * Pads a flatbuffer to whole 8 bytes, the last four of which are the CRC-32 of all before. Other readers
 * ignore them as padding; ours detects damage before it trusts a length in there.
 */
function seal(flatbuffer: Uint8Array): Buffer {
  const sealed = Buffer.alloc((flatbuffer.length + SEAL_LENGTH + 7) & ~7);
  sealed.set(flatbuffer);
  const end = sealed.length - SEAL_LENGTH;
  sealed.writeUInt32LE(crc32(sealed.subarray(0, end)), end);
  return sealed;
}

/** True when the bytes are as `seal` left them. */
export function isSealed(bytes: Buffer): boolean {
  const end = bytes.length - SEAL_LENGTH;
  return end > 0 && bytes.readUInt32LE(end) === crc32(bytes.subarray(0, end));
}

/** Length of the head that this prefix announces: 0 at the end of the stream, -1 for no prefix. */
export function announcedLength(prefix: Buffer): number {
  return prefix.readUInt32LE(0) === CONTINUATION ? prefix.readInt32LE(4) : -1;
}

/** Everything behind the last batch. */
export function fileEnd(schema: ArrowSchema<ColumnType>, blocks: readonly Block[]): Buffer {
  const footer = seal(encodeFooter(schema, blocks));
  const tail = Buffer.alloc(TAIL_LENGTH);
  tail.writeUInt32LE(footer.length);
  tail.set(MAGIC, 4);
  return Buffer.concat([END_OF_STREAM, footer, tail]);
}
