import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MillraceError } from '../model/errors.ts';
import type { EventColumns } from '../model/events.ts';
import { encodeBatch } from './arrow/encode.ts';
import { CODEC, type ArrowMessage, type BufferRegion } from './arrow/schema.ts';
import { fromInt64, toInt64 } from './column.ts';
import { BATCH_ROWS, COLUMNS, type Column } from './layout.ts';
import { release } from './memory.ts';
import type { Layout } from './recording.ts';

/** Bytes before each compressed column: its plain length, a 64-bit integer. */
const LENGTH_PREFIX = 8;

/** Every column has zstd's own checksum, so that a damaged batch never reads as a good one. */
const PARAMETERS = {
  [constants.ZSTD_c_compressionLevel]: 3,
  [constants.ZSTD_c_checksumFlag]: 1,
};

export interface EncodedBatch {
  /** The flatbuffer of the message. */
  readonly message: Uint8Array;
  readonly body: Buffer<ArrayBuffer>;
}

/** Turns columns into Arrow record batches with zstd-compressed bodies. */
export class BatchEncoder {
  readonly #columns: readonly Column[];
  readonly #words = new Uint32Array(2 * BATCH_ROWS);

  constructor(layout: Layout) {
    this.#columns = COLUMNS[layout];
  }

  /** `firstRow` is the number of the first row in the file; errors name rows by it. */
  encode(columns: EventColumns, firstRow: number): EncodedBatch {
    const { length } = columns;
    const buffers: BufferRegion[] = [];
    const parts: Uint8Array[] = [];
    const packs: Buffer<ArrayBuffer>[] = [];
    let offset = 0;
    for (const column of this.#columns) {
      const plain = this.#plain(column, columns, firstRow);
      const packed = pack(plain);
      packs.push(packed);
      const padding = -packed.length & 7;
      const prefix = Buffer.alloc(LENGTH_PREFIX);
      prefix.writeUInt32LE(plain.length);
      parts.push(prefix, packed, new Uint8Array(padding));
      // No column has nulls: its validity bitmap is empty.
      buffers.push({ offset, length: 0 }, { offset, length: LENGTH_PREFIX + packed.length });
      offset += LENGTH_PREFIX + packed.length + padding;
    }
    const header = { rows: length, buffers, codec: CODEC.zstd };
    const message = encodeBatch(header, this.#columns.length, offset);
    const body = Buffer.concat(parts, offset);
    for (const packed of packs) release(packed);
    return { message, body };
  }

  #plain(column: Column, columns: EventColumns, firstRow: number): Uint8Array {
    if (column.width === 1) return columns[column.array].subarray(0, columns.length);
    const bad = toInt64(columns[column.array], columns.length, this.#words);
    if (bad >= 0) {
      throw new MillraceError(
        'out-of-range',
        `Row ${firstRow + bad}: ${column.name} is ${columns[column.array][bad]} and must be a whole number within ±2^53.`,
        { field: column.name },
      );
    }
    return new Uint8Array(this.#words.buffer, 0, 8 * columns.length);
  }
}

/** Thrown for bytes that are no batch of a recording; readers name the file and the batch. */
export class DamagedBatch extends Error {}

/** Fills columns from the record batch; throws `DamagedBatch` if the bytes do not hold one. */
export function decodeBatch(
  layout: Layout,
  message: ArrowMessage,
  body: Uint8Array,
  into: EventColumns,
): void {
  if (message.kind !== 'batch') throw new DamagedBatch('is not a record batch');
  const { rows, buffers, codec } = message.batch;
  if (!(rows > 0 && rows <= into.kind.length)) throw new DamagedBatch(`claims ${rows} rows`);
  if (codec !== CODEC.zstd) throw new DamagedBatch('is not zstd');
  into.length = rows;
  let end = 0;
  COLUMNS[layout].forEach((column, index) => {
    const region = regionOf(column, buffers.at(2 * index + 1), body.length);
    if (!isBlank(body.subarray(end, region.offset))) {
      throw new DamagedBatch(`has bytes before the column ${column.name} that belong to none`);
    }
    end = region.offset + region.length;
    const [packed, low] = packedOf(column, body.subarray(region.offset, end), rows);
    if (isZeros(packed, low)) {
      into[column.array].fill(0, 0, rows);
      return;
    }
    const plain = unpack(packed, low);
    fill(column, plain, into);
    release(plain);
  });
  if (!isBlank(body.subarray(end))) throw new DamagedBatch('has bytes behind its columns');
}

function regionOf(
  { name }: Column,
  region: BufferRegion | undefined,
  bodyLength: number,
): BufferRegion {
  if (region === undefined) throw new DamagedBatch(`lacks the column ${name}`);
  const isInside = region.offset >= 0 && region.offset + region.length <= bodyLength;
  if (!isInside || region.length < LENGTH_PREFIX) {
    throw new DamagedBatch(`has no place of the column ${name}`);
  }
  return region;
}

/** A column as it is packed, and how long it is unpacked. */
function packedOf(
  { name, width }: Column,
  bytes: Uint8Array,
  rows: number,
): readonly [packed: Uint8Array, length: number] {
  const [low, high] = [word(bytes, 0), word(bytes, 4)];
  if (low !== rows * width || high !== 0) {
    throw new DamagedBatch(`claims another length of the column ${name}`);
  }
  return [bytes.subarray(LENGTH_PREFIX), low];
}

/**
 * The latest receive time in a record batch, without reading other columns. `read` returns bytes of its
 * body from an offset. Throws `DamagedBatch`.
 */
export function latestReceipt(
  message: ArrowMessage,
  times: Float64Array,
  read: (offset: number, length: number) => Uint8Array,
): number {
  if (message.kind !== 'batch') throw new DamagedBatch('is not a record batch');
  const { rows, buffers } = message.batch;
  if (!(rows > 0 && rows <= times.length)) throw new DamagedBatch(`claims ${rows} rows`);
  const [column] = COLUMNS.events;
  const { offset, length } = regionOf(column, buffers.at(1), message.bodyLength);
  const plain = unpack(...packedOf(column, read(offset, length), rows));
  if (fromInt64(wordsOf(plain), rows, times) >= 0) throw new DamagedBatch('has a time beyond 2^53');
  release(plain);
  let latest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows; row += 1) if (times[row] > latest) latest = times[row];
  return latest;
}

/** True for padding to whole 8 bytes, which no checksum covers. */
const isBlank = (bytes: Uint8Array): boolean =>
  bytes.length < 8 && bytes.every((byte) => byte === 0);

/** The 32-bit number at an offset. */
const word = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);

function pack(plain: Uint8Array): Buffer<ArrayBuffer> {
  // One chunk for everything, as zstd bounds it: no joining, and memory to release whole.
  const chunkSize = plain.length + (plain.length >>> 8) + 128;
  return zstdCompressSync(plain, { params: PARAMETERS, chunkSize });
}

/** Compressed zeros by length; batches of one file have at most two lengths. */
const packedZeros = new Map<number, Buffer>();
const PACKED_ZEROS_MAX = 16;

/**
 * True if a column is compressed zeros: a third of the columns of most recordings, which need not be
 * unpacked. Zeros compressed by another release of zstd are unpacked like the rest.
 */
function isZeros(packed: Uint8Array, length: number): boolean {
  let zeros = packedZeros.get(length);
  if (zeros === undefined) {
    if (packedZeros.size >= PACKED_ZEROS_MAX) packedZeros.clear();
    zeros = Buffer.from(pack(new Uint8Array(length)));
    packedZeros.set(length, zeros);
  }
  return zeros.equals(packed);
}

/**
 * Bits of a zstd frame's descriptor, its fifth byte (RFC 8878, 3.1.1.1.1): the checksum flag, two reserved
 * bits, and the content size flags. A decoder trusts them, and without the first one it would trust the
 * content too.
 */
const FRAME = { descriptorAt: 4, checksum: 0x04, never: 0x18, hasLength: 0xe0 };

function unpack(packed: Uint8Array, length: number): Buffer<ArrayBuffer> {
  const descriptor = packed.at(FRAME.descriptorAt) ?? 0;
  const isChecked = (descriptor & (FRAME.checksum | FRAME.never)) === FRAME.checksum;
  if (!isChecked || (descriptor & FRAME.hasLength) === 0) {
    throw new DamagedBatch('is packed without a checksum or a length');
  }
  // One chunk for everything saves joining many; one more byte shows the end.
  const room = Math.max(length + 1, 64);
  const plain = zstdDecompressSync(packed, { chunkSize: room, maxOutputLength: room });
  if (plain.length !== length) throw new DamagedBatch(`holds ${plain.length} bytes a column`);
  return plain;
}

function fill(column: Column, plain: Uint8Array, into: EventColumns): void {
  if (column.width === 1) {
    into[column.array].set(plain);
    return;
  }
  const bad = fromInt64(wordsOf(plain), into.length, into[column.array]);
  if (bad >= 0) throw new DamagedBatch(`has a ${column.name} beyond 2^53 in its row ${bad}`);
}

function wordsOf(plain: Uint8Array): Int32Array {
  const aligned = plain.byteOffset % 4 === 0 ? plain : new Uint8Array(plain);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}
