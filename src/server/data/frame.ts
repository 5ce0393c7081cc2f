import { crc32 } from 'node:zlib';
import { micros, type Micros } from '../../platform/time.ts';

/** A record of the log. */
export interface LogRecord {
  readonly at: Micros;
  /** The kind of the input and, after a space, its payload as JSON. */
  readonly text: string;
}

/*
 * A record is a mark, the length of its text, that length inverted, the checksum of the previous record,
 * its own checksum, the time and the text. As each names the previous one, none can be missing, doubled or
 * moved; as the length is there twice, a damaged one does not look like an unfinished one.
 */
const MARK = 0xa9;
const AT_LENGTH = 1;
const AT_INVERTED = 5;
const AT_PREVIOUS = 9;
const AT_CHECKSUM = 13;
const AT_TIME = 17;
const HEAD_BYTES = 25;
/** No request is longer than its body may be, plus its wrapper. */
const TEXT_BYTES_MAX = 1 << 23;

/** The bytes of a record after one with a checksum, and its own checksum. */
export function framed(
  { at, text }: LogRecord,
  previous: number,
): { readonly bytes: Buffer; readonly checksum: number } {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + length);
  bytes[0] = MARK;
  bytes.writeUInt32LE(length, AT_LENGTH);
  bytes.writeUInt32LE(~length >>> 0, AT_INVERTED);
  bytes.writeUInt32LE(previous, AT_PREVIOUS);
  bytes.writeDoubleLE(at, AT_TIME);
  bytes.write(text, HEAD_BYTES);
  const checksum = checksumOf(bytes);
  bytes.writeUInt32LE(checksum, AT_CHECKSUM);
  return { bytes, checksum };
}

/** Content at an offset of the log: a record, the beginning of one, or neither. */
export type Unframed =
  | {
      readonly kind: 'record';
      readonly record: LogRecord;
      readonly previous: number;
      readonly checksum: number;
      readonly end: number;
    }
  | { readonly kind: 'short' | 'wrong' };

/** Reads the record at `start`; `short` if the bytes end before it does. */
export function unframed(bytes: Buffer, start: number): Unframed {
  if (bytes.length <= start) return { kind: 'short' };
  if (bytes[start] !== MARK) return { kind: 'wrong' };
  if (bytes.length < start + HEAD_BYTES) return { kind: 'short' };
  const length = bytes.readUInt32LE(start + AT_LENGTH);
  const isSure = bytes.readUInt32LE(start + AT_INVERTED) === ~length >>> 0;
  if (!isSure || length > TEXT_BYTES_MAX) return { kind: 'wrong' };
  const end = start + HEAD_BYTES + length;
  if (bytes.length < end) return { kind: 'short' };
  const whole = bytes.subarray(start, end);
  const checksum = whole.readUInt32LE(AT_CHECKSUM);
  if (checksum !== checksumOf(whole)) return { kind: 'wrong' };
  const at = micros(whole.readDoubleLE(AT_TIME));
  const text = whole.toString('utf8', HEAD_BYTES);
  const previous = whole.readUInt32LE(AT_PREVIOUS);
  return { kind: 'record', record: { at, text }, previous, checksum, end };
}

/** True if a whole record follows `start`: the bytes before it were not written last. */
export function hasRecordBehind(bytes: Buffer, start: number): boolean {
  for (let at = bytes.indexOf(MARK, start + 1); at !== -1; at = bytes.indexOf(MARK, at + 1)) {
    if (unframed(bytes, at).kind === 'record') return true;
  }
  return false;
}

/** Of all but the mark and the checksum itself. */
function checksumOf(bytes: Buffer): number {
  const head = crc32(bytes.subarray(AT_LENGTH, AT_CHECKSUM));
  return crc32(bytes.subarray(AT_TIME), head);
}
