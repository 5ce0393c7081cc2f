import { createHash } from 'node:crypto';
import { MillraceError } from '../model/errors.ts';
import type { EventColumns } from '../model/events.ts';
import type { Micros } from '../platform/time.ts';
import { decodeFooter, decodeMessage } from './arrow/decode.ts';
import type { Block } from './arrow/schema.ts';
import { decodeBatch } from './batch.ts';
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
   * and are filled anew. May be called many times; each call reads from the start. Throws
   * `recording-invalid` at a damaged batch, and where the rows are not those of the summary. `from` says that
   * no row before that time is wanted: files that end before it may be passed over.
   */
  batches(from?: Micros): Generator<EventColumns, void, undefined>;
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

  *batches(): Generator<EventColumns, void, undefined> {
    const columns = columnsFor(this.meta.layout, Math.min(BATCH_ROWS, this.summary.rows));
    const check = new SummaryCheck(this.summary);
    let bytes = Buffer.alloc(0);
    for (const [index, block] of this.#blocks.entries()) {
      const length = block.headLength + block.bodyLength;
      if (bytes.length < length) bytes = Buffer.alloc(length);
      this.#decode(index, block, bytes.subarray(0, length), columns);
      if (!check.add(columns)) {
        throw invalid(this.#file, `holds other rows in batch ${index + 1} than its summary says`);
      }
      yield columns;
    }
    if (!check.isComplete()) throw invalid(this.#file, 'holds fewer rows than its summary says');
  }

  close(): void {
    this.#file.close();
  }

  #decode(index: number, block: Block, bytes: Buffer, into: EventColumns): void {
    const whole = this.#file.read(bytes, block.offset);
    const head = bytes.subarray(PREFIX_LENGTH, block.headLength);
    try {
      if (!whole || announcedLength(bytes) !== head.length || !isSealed(head)) {
        throw new Error('its head does not match its checksum');
      }
      const message = decodeMessage(head);
      if (message.bodyLength !== block.bodyLength) throw new Error('its body has another length');
      decodeBatch(this.meta.layout, message, bytes.subarray(block.headLength), into);
    } catch (cause) {
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
