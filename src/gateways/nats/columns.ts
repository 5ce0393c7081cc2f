import { eventColumns, type EventColumns } from '../../model/events.ts';

/** Numbers of eight bytes each, and bytes; the order is that of the encoding and never changes. */
const NUMBERS = [
  ...(['receivedAt', 'stampedAt', 'sequence', 'price', 'size'] as const),
  ...(['askPrice', 'askSize', 'open'] as const),
];
const BYTES = ['kind', 'flags'] as const;

/** Encoding of a column's numbers: as differences of whole numbers, or as doubles. */
const WHOLE = 0;
const DOUBLES = 1;
/** A difference of two safe whole numbers takes 8 bytes at most, 7 bits in each. */
const DIFFERENCE_BYTES_MAX = 8;
/** Beyond it a doubled difference is no exact number. */
const DIFFERENCE_MAX = 2 ** 51;

/** The most that rows can take. */
const roomFor = (rows: number): number =>
  8 + rows * BYTES.length + NUMBERS.length * (1 + rows * DIFFERENCE_BYTES_MAX);

/**
 * Rows `from` to `till` as bytes: their number, the two columns of bytes, then each column of numbers.
 * Whole numbers, as nearly all are, are the difference to the previous row, in groups of 7 bits.
 */
export function encodeColumns(columns: EventColumns, from = 0, till = columns.length): Buffer {
  const bytes = Buffer.allocUnsafe(roomFor(till - from));
  let at = bytes.writeUInt32LE(till - from, 0);
  for (const name of BYTES) {
    bytes.set(columns[name].subarray(from, till), at);
    at += till - from;
  }
  for (const name of NUMBERS) at = writeNumbers(bytes, at, columns[name].subarray(from, till));
  return bytes.subarray(0, at);
}

function writeNumbers(bytes: Buffer, start: number, values: Float64Array): number {
  if (!areWhole(values)) {
    let at = bytes.writeUInt8(DOUBLES, start);
    for (const value of values) at = bytes.writeDoubleLE(value, at);
    return at;
  }
  let at = bytes.writeUInt8(WHOLE, start);
  let before = 0;
  for (const value of values) {
    const difference = value - before;
    before = value;
    let rest = difference < 0 ? -2 * difference - 1 : 2 * difference;
    while (rest >= 128) {
      bytes[at] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
      at += 1;
    }
    bytes[at] = rest;
    at += 1;
  }
  return at;
}

function areWhole(values: Float64Array): boolean {
  let before = 0;
  for (const value of values) {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return false;
    if (Math.abs(value - before) >= DIFFERENCE_MAX) return false;
    before = value;
  }
  return true;
}

/** Decodes rows of `encodeColumns`; throws a `RangeError` for other bytes. */
export function decodeColumns(bytes: Buffer): EventColumns {
  const length = bytes.readUInt32LE(0);
  // Each row takes a byte of each column, so that a false number cannot request unlimited memory.
  if (length * (BYTES.length + NUMBERS.length) > bytes.length) throw new RangeError('too short');
  const columns = eventColumns(length);
  columns.length = length;
  let at = 4;
  for (const name of BYTES) {
    columns[name].set(bytes.subarray(at, at + length));
    at += length;
  }
  for (const name of NUMBERS) at = readNumbers(bytes, at, columns[name]);
  if (at !== bytes.length) throw new RangeError('bytes are left over');
  return columns;
}

function readNumbers(bytes: Buffer, start: number, into: Float64Array): number {
  const form = bytes.readUInt8(start);
  let at = start + 1;
  if (form === DOUBLES) {
    for (let row = 0; row < into.length; row += 1, at += 8) into[row] = bytes.readDoubleLE(at);
    return at;
  }
  if (form !== WHOLE) throw new RangeError('a column of no known form');
  let before = 0;
  for (let row = 0; row < into.length; row += 1) {
    let rest = 0;
    let unit = 1;
    for (;;) {
      const byte = bytes.readUInt8(at);
      at += 1;
      rest += (byte % 128) * unit;
      if (byte < 128) break;
      unit *= 128;
      if (unit > Number.MAX_SAFE_INTEGER) throw new RangeError('a number that is too long');
    }
    before += rest % 2 === 1 ? -(rest + 1) / 2 : rest / 2;
    into[row] = before;
  }
  return at;
}
