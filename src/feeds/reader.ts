import { createHash } from 'node:crypto';
import { MillraceError } from '../model/errors.ts';
import type { EventColumns } from '../model/events.ts';
import type { Micros } from '../platform/time.ts';
import { decodeFooter, decodeMessage } from './arrow/decode.ts';
import type { ArrowMessage, Block } from './arrow/schema.ts';
import { decodeBatch, latestReceipt } from './batch.ts';
import { OpenFile } from './file.ts';
import { announcedLength, END_OF_STREAM, HEAD, isSealed, MAGIC, PREFIX_LENGTH } from './frame.ts';
import { TAIL_LENGTH, TEXTS_BYTES_MAX } from './frame.ts';
import { BATCH_ROWS, BODY_BYTES_MAX, columnsFor, hasColumns, HEAD_BYTES_MAX } from './layout.ts';
import { readSummary, understand } from './metadata.ts';
import type { RecordingMeta, RecordingSummary } from './recording.ts';
import { SummaryCheck } from './summary.ts';

/** Bytes hashed at a time. */
const HASH_CHUNK = 1 << 20;

/** A recording open for reading; it holds a file open until `close`. */
export interface Recording {
  readonly path: string;
  readonly meta: RecordingMeta;
  readonly summary: RecordingSummary;
  /** SHA-256 of the file in hexadecimal; read once, when first asked for. */
  readonly fingerprint: string;
  /**
   * The rows, batch by batch, in the order of the file. The columns are the same object each time
   * and are refilled. May be called many times; each call reads from the start. Throws
   * `recording-invalid` at a damaged batch, and where the rows are not those of the summary. `from` says that
   * no row before that time is wanted: files and batches that end before it may be passed over, and what is
   * passed over is not checked.
   */
  batches(from?: Micros): Generator<EventColumns, void, undefined>;
  /** How many rows stand in the batches that `batches(from)` passes over; none if absent. */
  rowsBefore?(from: Micros): number;
  close(): void;
}

/**
 * Opens a recording and reads its footer. Throws `file-missing`, `recording-truncated` when the
 * end of the file is not there, and `recording-invalid` for everything that is no recording.
 */
export function openRecording(path: string): Recording {
  const file = new OpenFile(path);
  try {
    return new ArrowRecording(file, readEnd(file));
  } catch (error) {
    file.close();
    throw error;
  }
}

interface End {
  readonly meta: RecordingMeta;
  readonly summary: RecordingSummary;
  readonly blocks: readonly Block[];
}

class ArrowRecording implements Recording {
  readonly meta: RecordingMeta;
  readonly summary: RecordingSummary;
  readonly #file: OpenFile;
  readonly #blocks: readonly Block[];
  #fingerprint: string | undefined;
  /** The latest receipt in each batch and its rows, as far as somebody sought a time. */
  readonly #latest: { readonly at: number; readonly rows: number }[] = [];

  constructor(file: OpenFile, end: End) {
    this.#file = file;
    this.meta = end.meta;
    this.summary = end.summary;
    this.#blocks = end.blocks;
  }

  get path(): string {
    return this.#file.path;
  }

  get fingerprint(): string {
    this.#fingerprint ??= hash(this.#file);
    return this.#fingerprint;
  }

  rowsBefore(from: Micros): number {
    return this.#latest
      .slice(0, this.#batchesBefore(from))
      .reduce((sum, { rows }) => sum + rows, 0);
  }

  /** The batches in front whose rows all came before a time: of each only the times are read, and once. */
  #batchesBefore(from: Micros): number {
    if (from <= this.summary.firstAt) return 0;
    const times = new Float64Array(Math.min(BATCH_ROWS, this.summary.rows));
    for (let index = 0; index < this.#blocks.length; index += 1) {
      const known = (this.#latest[index] ??= this.#latestOf(index, times));
      if (known.at >= from) return index;
    }
    return this.#blocks.length;
  }

  #latestOf(index: number, times: Float64Array): { readonly at: number; readonly rows: number } {
    const block = this.#blocks[index];
    const read = (offset: number, length: number): Buffer => {
      const bytes = this.#file.slice(block.offset + offset, length);
      if (bytes === undefined) throw new Error('the file ends before it');
      return bytes;
    };
    return this.#reported(index, () => {
      const message = this.#message(block, read(0, block.headLength));
      const at = latestReceipt(message, times, (offset, length) =>
        read(block.headLength + offset, length),
      );
      return { at, rows: message.kind === 'batch' ? message.batch.rows : 0 };
    });
  }

  *batches(from?: Micros): Generator<EventColumns, void, undefined> {
    const first = from === undefined ? 0 : this.#batchesBefore(from);
    const columns = columnsFor(this.meta.layout, Math.min(BATCH_ROWS, this.summary.rows));
    const check = new SummaryCheck(this.summary);
    let bytes = Buffer.alloc(0);
    for (const [position, block] of this.#blocks.slice(first).entries()) {
      const index = first + position;
      const length = block.headLength + block.bodyLength;
      if (bytes.length < length) bytes = Buffer.alloc(length);
      this.#decode(index, block, bytes.subarray(0, length), columns);
      // A part of the rows is in no summary.
      if (first === 0 && !check.add(columns)) {
        throw invalid(this.#file, `holds other rows in batch ${index + 1} than its summary says`);
      }
      yield columns;
    }
    if (first === 0 && !check.isComplete())
      throw invalid(this.#file, 'holds fewer rows than its summary says');
  }

  close(): void {
    this.#file.close();
  }

  #decode(index: number, block: Block, bytes: Buffer, into: EventColumns): void {
    this.#reported(index, () => {
      if (!this.#file.read(bytes, block.offset)) throw new Error('the file ends before it');
      const message = this.#message(block, bytes.subarray(0, block.headLength));
      decodeBatch(this.meta.layout, message, bytes.subarray(block.headLength), into);
    });
  }

  /** The message of a batch, by its prefix and its head. */
  #message({ bodyLength }: Block, bytes: Buffer): ArrowMessage {
    const head = bytes.subarray(PREFIX_LENGTH);
    if (announcedLength(bytes) !== head.length || !isSealed(head)) {
      throw new Error('its head does not match its checksum');
    }
    const message = decodeMessage(head);
    if (message.bodyLength !== bodyLength) throw new Error('its body has another length');
    return message;
  }

  /** Does work on a batch; its errors name the file and the batch. */
  #reported<T>(index: number, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      // What is wrong with the file as a whole is no damage of the batch.
      if (cause instanceof MillraceError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw invalid(
        this.#file,
        `is damaged in batch ${index + 1} (${why}): import it again`,
        cause,
      );
    }
  }
}

/** Reads what stands behind the last batch. */
function readEnd(file: OpenFile): End {
  const head = file.slice(0, Math.min(file.length, HEAD.length));
  if (head === undefined || !HEAD.subarray(0, head.length).equals(head)) {
    throw invalid(file, 'is not an Arrow file: import it first');
  }
  const tail = file.slice(file.length - TAIL_LENGTH, TAIL_LENGTH);
  if (tail === undefined || file.length < HEAD.length + TAIL_LENGTH) throw truncated(file);
  if (!tail.subarray(4).equals(MAGIC)) throw truncated(file);
  const length = tail.readInt32LE(0);
  const start = file.length - TAIL_LENGTH - length;
  const bytes = length > TEXTS_BYTES_MAX ? undefined : file.slice(start, length);
  if (bytes === undefined) throw invalid(file, 'has a damaged footer: import it again');
  if (!isSealed(bytes)) throw invalid(file, 'has a damaged footer or was not written by Millrace');
  const { schema, blocks } = footerOf(file, bytes);
  const meta = understand(schema.metadata);
  if (typeof meta === 'string') throw invalid(file, meta);
  const summary = readSummary(schema.metadata, meta);
  if (summary === undefined) throw invalid(file, 'has no valid summary');
  if (!hasColumns(schema, meta.layout)) throw invalid(file, 'has other columns');
  const { rows } = summary;
  if (rows < blocks.length || rows > blocks.length * BATCH_ROWS) {
    throw invalid(file, `claims ${rows} rows in ${blocks.length} batches`);
  }
  const end = endOfBatches(file, blocks);
  if (end > start) throw invalid(file, `names places of batches behind its end`);
  const mark = file.slice(end, start - end);
  if (mark === undefined || !END_OF_STREAM.equals(mark)) {
    throw invalid(file, 'is damaged between its last batch and its footer: import it again');
  }
  return { meta, summary, blocks };
}

/** Where the last batch ends. Every byte up to there belongs to the schema or to a batch. */
function endOfBatches(file: OpenFile, blocks: readonly Block[]): number {
  let end = endOfSchema(file);
  for (const [index, block] of blocks.entries()) {
    if (!isPlausible(block, end)) throw invalid(file, `names no place of batch ${index + 1}`);
    end = block.offset + block.headLength + block.bodyLength;
  }
  return end;
}

/**
 * Where the first message ends. Nothing is read of it while there is a footer, which says the same;
 * other programs and the recovery read it, so damage in it must not pass.
 */
function endOfSchema(file: OpenFile): number {
  const prefix = file.slice(HEAD.length, PREFIX_LENGTH);
  const length = prefix === undefined ? -1 : announcedLength(prefix);
  const isHead = length > 0 && length <= TEXTS_BYTES_MAX;
  const head = isHead ? file.slice(HEAD.length + PREFIX_LENGTH, length) : undefined;
  if (head !== undefined && isSealed(head)) return HEAD.length + PREFIX_LENGTH + length;
  throw invalid(file, 'has a damaged schema at its beginning: import it again');
}

/**
 * Batches follow each other. Each takes its own bytes of the file: many names for one batch would
 * make work without end out of a small file.
 */
const isPlausible = ({ offset, headLength, bodyLength }: Block, end: number): boolean =>
  offset === end &&
  headLength > PREFIX_LENGTH &&
  headLength <= HEAD_BYTES_MAX &&
  bodyLength >= 0 &&
  bodyLength <= BODY_BYTES_MAX;

function footerOf(file: OpenFile, bytes: Buffer): ReturnType<typeof decodeFooter> {
  try {
    return decodeFooter(bytes);
  } catch (cause) {
    throw invalid(file, 'has a damaged footer: import it again', cause);
  }
}

function hash(file: OpenFile): string {
  const sha = createHash('sha256');
  const chunk = Buffer.alloc(Math.min(HASH_CHUNK, file.length));
  for (let position = 0; position < file.length; position += chunk.length) {
    const part = chunk.subarray(0, Math.min(chunk.length, file.length - position));
    if (!file.read(part, position)) throw truncated(file);
    sha.update(part);
  }
  return sha.digest('hex');
}

const truncated = (file: OpenFile): MillraceError =>
  new MillraceError(
    'recording-truncated',
    `${file.path} ends before its footer: it was not copied or written to its end. Copy or import it again.`,
    { where: file.path },
  );

const invalid = (file: OpenFile, why: string, cause?: unknown): MillraceError =>
  new MillraceError('recording-invalid', `${file.path} ${why}.`, { where: file.path, cause });
