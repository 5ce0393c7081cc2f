import { MillraceError } from '../../model/errors.ts';
import type { EventColumns } from '../../model/events.ts';
import { decodeColumns, encodeColumns } from './columns.ts';

/** Raised with each change of the form, which older subscribers then refuse. */
const VERSION = 1;

/** Kinds of messages; the index is the number on the wire, so new ones are appended. */
const KINDS = [
  /** Rows as the source sent them, in `rows`. */
  'rows',
  /** The publisher is connected to the market again. */
  'live',
  /** It is not connected: `text` says why. */
  'lost',
  /** Nothing new, and the market sent nothing since the previous one; its sequence is the last used. */
  'heartbeat',
  /** Nothing new, and the market sent something since the previous one. */
  'alive',
  /** One part of an answer to a request for a snapshot: the missed trades and candles. */
  'past',
  /** One part of it: the book, and contract data. */
  'state',
  /** Its last part; `text` is an `Answer`. */
  'answer',
  /** The publisher does not have this symbol; `text` are those that it has. */
  'unknown',
  /** The publisher ends: nothing follows until there is another. */
  'ended',
] as const;

export interface MessageFrame {
  readonly kind: (typeof KINDS)[number];
  /** Identifies the run of the publisher; another one restarts its numbers. */
  readonly run: number;
  /**
   * Increases by one with each `rows`, `live`, `lost` and `ended` of a symbol; all others have that of the
   * last of them.
   */
  readonly sequence: number;
  readonly text?: string;
  readonly rows?: EventColumns;
}

/** Content of an `answer`. */
export interface Answer {
  readonly connectionState: 'live' | 'lost';
  readonly why?: string;
  /** Steps of the instrument, in which rows count prices and sizes. */
  readonly tickSize: string;
  readonly quantityIncrement: string;
  /** True if all trades and candles since the requested sequence are among those of `past`. */
  readonly isWhole: boolean;
}

/** Content of a request for a snapshot: the last received sequence, if any. */
export interface Question {
  readonly run?: number;
  readonly after?: number;
}

const HEAD = 20;

/** A message as bytes: version, kind, run, sequence and length of the text, the text, the rows. */
export function encodeFrame(
  { kind, run, sequence, text = '', rows }: MessageFrame,
  from?: number,
  till?: number,
): Uint8Array {
  const words = Buffer.from(text);
  const head = Buffer.alloc(HEAD);
  head.writeUInt8(VERSION, 0);
  head.writeUInt8(KINDS.indexOf(kind), 1);
  head.writeUInt16LE(words.length, 2);
  head.writeDoubleLE(run, 4);
  head.writeDoubleLE(sequence, 12);
  const body = rows === undefined ? [] : [encodeColumns(rows, from, till)];
  return Buffer.concat([head, words, ...body]);
}

/** Decodes a message. Throws `answer-invalid` for another version, and for invalid bytes. */
export function decodeFrame(data: Uint8Array): MessageFrame {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  try {
    if (bytes.readUInt8(0) !== VERSION) throw new RangeError(`version ${bytes.readUInt8(0)}`);
    const kind = KINDS[bytes.readUInt8(1)];
    const end = HEAD + bytes.readUInt16LE(2);
    if (kind === undefined || end > bytes.length) throw new RangeError('no known kind or length');
    return {
      kind,
      run: bytes.readDoubleLE(4),
      sequence: bytes.readDoubleLE(12),
      text: bytes.subarray(HEAD, end).toString(),
      ...(bytes.length === end ? {} : { rows: decodeColumns(bytes.subarray(end)) }),
    };
  } catch (cause) {
    throw new MillraceError(
      'answer-invalid',
      `A message on the subject of the market is none of version ${VERSION} of this form; let publisher and bots be of the same release of Millrace.`,
      { cause },
    );
  }
}
