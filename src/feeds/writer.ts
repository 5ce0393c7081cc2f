import { closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, statSync } from 'node:fs';
import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { MillraceError } from '../model/errors.ts';
import { eventColumns, type EventColumns } from '../model/events.ts';
import { encodeSchema } from './arrow/encode.ts';
import type { Block } from './arrow/schema.ts';
import { BatchEncoder } from './batch.ts';
import { makeFolders } from './folder.ts';
import { fileEnd, HEAD, messageHead } from './frame.ts';
import { arrowSchema, BATCH_ROWS, misplacedRow } from './layout.ts';
import { release } from './memory.ts';
import { describe, fitsMarket, KEY } from './metadata.ts';
import type { Provenance, RecordingMeta, RecordingSummary } from './recording.ts';
import { EventCounts } from './summary.ts';
import { writeAll } from '../platform/write-all.ts';

export interface WriterOptions {
  /**
   * Whether `NAME.part` left by a write that was cut off may be written over. Importers say yes,
   * since they can read their sources again; a recorder of live data says no and recovers it.
   */
  readonly replaceUnfinished?: boolean;
}

/**
 * Writes one recording. Until `finish` everything stands in `NAME.part`, so that a file of the
 * final name is always whole; a `.part` that a crash left behind can be recovered up to its last
 * complete batch.
 */
export class RecordingWriter {
  readonly path: string;
  readonly #meta: RecordingMeta;
  readonly #encoder: BatchEncoder;
  readonly #columns: EventColumns = eventColumns(BATCH_ROWS);
  readonly #tally: EventCounts;
  readonly #blocks: Block[] = [];
  #file: number | undefined;
  /** Whether the recording has its name or was given up. */
  #over = false;
  #position = 0;
  #rowsWritten = 0;

  private constructor(path: string, meta: RecordingMeta, file: number) {
    this.path = path;
    this.#meta = meta;
    this.#file = file;
    this.#encoder = new BatchEncoder(meta.layout);
    this.#tally = new EventCounts(meta.derivatives === true);
    const schema = arrowSchema(meta.layout, describe(meta));
    this.#write(HEAD);
    this.#write(messageHead(encodeSchema(schema)));
  }

  /**
   * Begins a recording; missing folders are made. Throws `file-unwritable`, or `file-exists` when
   * an unfinished recording of that name is there.
   */
  static create(path: string, meta: RecordingMeta, options: WriterOptions = {}): RecordingWriter {
    if ((meta.layout === 'candles') !== (meta.period !== undefined)) {
      throw new MillraceError('internal', 'A recording of candles has a period, others have none.');
    }
    if (!fitsMarket(meta)) {
      throw new MillraceError('internal', 'Of spot there are no mark prices and no funding.');
    }
    return new RecordingWriter(path, meta, open(path, options.replaceUnfinished === true));
  }

  /** Rows taken so far. */
  get rows(): number {
    return this.#rowsWritten + this.#columns.length;
  }

  /** Bytes written so far; rows that wait for their batch are not among them. */
  get bytes(): number {
    return this.#position;
  }

  /**
   * Takes one row; what each number means for each kind stands at `EventColumns`. A candle's flags
   * and sequence are not kept: they read back as LAST and 0. Throws `file-unwritable` when the
   * batch that the row fills cannot be written, `out-of-range` when it holds a number that is not
   * whole or beyond 2^53; the writer is then of no use but for `abandon`.
   */
  row(
    receivedAt: number,
    stampedAt: number,
    kind: number,
    flags: number,
    sequence: number,
    price: number,
    size: number,
    askPrice: number,
    askSize: number,
    open: number,
  ): void {
    const columns = this.#columns;
    const row = columns.length;
    columns.receivedAt[row] = receivedAt;
    columns.stampedAt[row] = stampedAt;
    columns.kind[row] = kind;
    columns.flags[row] = flags;
    columns.sequence[row] = sequence;
    columns.price[row] = price;
    columns.size[row] = size;
    columns.askPrice[row] = askPrice;
    columns.askSize[row] = askSize;
    columns.open[row] = open;
    columns.length = row + 1;
    if (columns.length === BATCH_ROWS) this.#writeBatch();
  }

  /** Makes every row so far durable: after it, no crash loses them. Costs a batch of its own. */
  flush(): void {
    this.#writeBatch();
    const file = this.#open();
    guard(this.path, () => {
      fdatasyncSync(file);
    });
  }

  /**
   * Writes the footer, makes the file durable and gives it its name, in place of a file that had
   * it. `provenance` replaces what was said at the beginning, for those who know it only now.
   * Where that fails the `.part` stays, whole, until `abandon`.
   */
  finish(provenance: Provenance = this.#meta.provenance): RecordingSummary {
    this.#writeBatch();
    const summary = this.#tally.summary();
    const meta = { ...this.#meta, provenance };
    this.#write(recordingEnd(meta, summary, this.#blocks));
    const file = this.#open();
    this.#file = undefined;
    guard(this.path, () => {
      settle(file, this.path);
    });
    this.#over = true;
    return summary;
  }

  /** Gives up: nothing stays behind. Does nothing once finished. */
  abandon(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    rmSync(partOf(this.path), { force: true });
  }

  #writeBatch(): void {
    const columns = this.#columns;
    if (columns.length === 0) return;
    this.#checkKinds();
    const { message, body } = this.#encoder.encode(columns, this.#rowsWritten);
    const head = messageHead(message);
    const block = { offset: this.#position, headLength: head.length, bodyLength: body.length };
    this.#write(head);
    this.#write(body);
    release(body);
    this.#blocks.push(block);
    this.#tally.add(columns);
    this.#rowsWritten += columns.length;
    columns.length = 0;
  }

  #checkKinds(): void {
    const row = misplacedRow(this.#columns, this.#meta);
    if (row < 0) return;
    throw new MillraceError(
      'internal',
      `Row ${this.#rowsWritten + row} is of kind ${this.#columns.kind[row]}, which has no place in a recording of ${this.#meta.layout}.`,
    );
  }

  #write(bytes: Uint8Array): void {
    const file = this.#open();
    guard(this.path, () => {
      writeAll(file, bytes);
    });
    this.#position += bytes.length;
  }

  #open(): number {
    if (this.#file === undefined) {
      throw new MillraceError('internal', `${this.path} was finished or abandoned before.`);
    }
    return this.#file;
  }
}

/** Where a recording stands while it is written. */
export const partOf = (path: string): string => `${path}.part`;

/** What follows the last batch: the footer with all that is known at the end. */
export function recordingEnd(
  meta: RecordingMeta,
  summary: RecordingSummary,
  blocks: readonly Block[],
): Buffer {
  const texts = describe(meta);
  texts.set(KEY.summary, JSON.stringify(summary));
  return fileEnd(arrowSchema(meta.layout, texts), blocks);
}

/** Makes the `.part` durable and gives it its final name; closes the file. */
export function settle(file: number, path: string): void {
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partOf(path), path);
  // Windows cannot sync a folder; there the name is durable a moment later.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function open(path: string, replaceUnfinished: boolean): number {
  const part = partOf(path);
  // To open a named pipe that nobody reads from would wait for ever.
  if (statSync(part, { throwIfNoEntry: false })?.isFile() === false) {
    throw new MillraceError(
      'file-exists',
      `${part} is not a regular file: move it away, then try again.`,
      { where: part },
    );
  }
  if (!replaceUnfinished && existsSync(part)) {
    throw new MillraceError(
      'file-exists',
      `${part} is an unfinished recording: recover it or delete it, then try again.`,
      { where: part },
    );
  }
  try {
    makeFolders(dirname(path));
    return openSync(part, replaceUnfinished ? 'w' : 'wx');
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** Runs what touches the file system; failures become `file-unwritable`. */
export function guard(path: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

const unwritable = (path: string, cause: unknown): MillraceError =>
  new MillraceError(
    'file-unwritable',
    `${path} cannot be written (${cause instanceof Error ? cause.message : String(cause)}): check the folder and the space left.`,
    { where: path, cause },
  );
