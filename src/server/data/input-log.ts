import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  fstatSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { afterTurn } from '../../platform/turn.ts';
import type { Micros } from '../../platform/time.ts';
import { framed, type LogRecord } from './frame.ts';
import { LogReader } from './log-reader.ts';

const FILE = 'inputs.log';

interface Waiter {
  readonly position: number;
  readonly then: () => void;
}

/** An open log: its first record is read, and the others are to be. */
export interface OpenedLog {
  readonly log: InputLog;
  readonly first: LogRecord;
  /** True where there was none before. */
  readonly isNew: boolean;
}

/**
 * The inputs of a venue in a file, in the order in which they were done. What is appended in one turn
 * of the event loop is written and brought to the disk together.
 */
export class InputLog {
  readonly path: string;
  readonly #file: number;
  readonly #reader: LogReader;
  readonly #failed: (error: MillraceError) => void;
  #checksum = 0;
  /** What is to be written at the end of this turn. */
  #pending: Buffer[] = [];
  /** Bytes that were appended, and those of them that are on the disk. */
  #appended = 0;
  #durable = 0;
  /** Up to where somebody may have to wait: records of what only let time come are not waited for. */
  #needed = 0;
  #waiters: Waiter[] = [];
  #isFlushing = false;
  #isSyncing = false;
  #fault: MillraceError | undefined;

  private constructor(path: string, failed: (error: MillraceError) => void) {
    this.path = path;
    this.#file = openSync(path, 'r+');
    this.#reader = new LogReader(this.#file, path);
    this.#failed = failed;
  }

  /**
   * Opens the log of a folder, and makes one that begins with `first` where there is none. `failed`
   * is told once where it cannot be written any more. Throws `venue-data-invalid`,
   * `venue-data-unwritable`.
   */
  static open(
    folder: string,
    first: () => LogRecord,
    failed: (error: MillraceError) => void,
  ): OpenedLog {
    const path = join(folder, FILE);
    try {
      const isNew = !exists(path);
      if (isNew) create(folder, path, first());
      const log = new InputLog(path, failed);
      try {
        const read = log.read();
        if (read !== undefined) return { log, first: read, isNew };
      } catch (error) {
        closeSync(log.#file);
        throw error;
      }
      closeSync(log.#file);
    } catch (error) {
      throw error instanceof MillraceError ? error : unwritable(path, error);
    }
    throw new MillraceError('venue-data-invalid', `${path} is no log of a venue.`, { where: path });
  }

  /** The next record of those that are there; nothing behind the last one. Throws `venue-data-invalid`. */
  read(): LogRecord | undefined {
    return this.#reader.next();
  }

  /** Goes on behind the last record that was read; gives how many bytes of an unfinished one are cut. */
  goOn(): number {
    const { end, checksum } = this.#reader;
    this.#checksum = checksum;
    this.#appended = end;
    this.#durable = end;
    this.#needed = end;
    try {
      const cut = fstatSync(this.#file).size - end;
      ftruncateSync(this.#file, end);
      fdatasyncSync(this.#file);
      return cut;
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  /** Appends a record; `isNeeded` where what it did may be seen outside. Throws once it cannot be written. */
  append(at: Micros, text: string, isNeeded: boolean): void {
    if (this.#fault !== undefined) throw this.#fault;
    const { bytes, checksum } = framed({ at, text }, this.#checksum);
    this.#checksum = checksum;
    this.#pending.push(bytes);
    this.#appended += bytes.length;
    if (isNeeded) this.#needed = this.#appended;
    this.#flushSoon();
  }

  get isDurable(): boolean {
    return this.#needed <= this.#durable;
  }

  /** Calls when all that was appended is on the disk, and never where that fails. */
  whenDurable(then: () => void): void {
    if (this.isDurable && this.#waiters.length === 0) {
      then();
      return;
    }
    this.#waiters.push({ position: this.#needed, then });
    this.#flushSoon();
  }

  /** Brings all to the disk and closes; nobody is called any more. */
  close(): void {
    this.#waiters = [];
    if (this.#fault === undefined) {
      this.#write();
      if (this.#fault === undefined) fdatasyncSync(this.#file);
    }
    this.#fault ??= new MillraceError('venue-data-unwritable', `${this.path} is closed.`);
    if (!this.#isSyncing) closeSync(this.#file);
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    afterTurn(() => {
      this.#isFlushing = false;
      this.#write();
      this.#sync();
    });
  }

  #write(): void {
    if (this.#fault !== undefined || this.#pending.length === 0) return;
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#pending = [];
    let position = this.#appended - bytes.length;
    try {
      for (let from = 0; from < bytes.length;) {
        const written = writeSync(this.#file, bytes, from, bytes.length - from, position);
        from += written;
        position += written;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Brings to the disk what somebody waits for; others who come meanwhile wait for the next time. */
  #sync(): void {
    if (this.#isSyncing || this.#fault !== undefined || this.#waiters.length === 0) return;
    const position = this.#appended;
    if (this.isDurable) {
      this.#call();
      return;
    }
    this.#isSyncing = true;
    fdatasync(this.#file, (error) => {
      this.#isSyncing = false;
      if (this.#fault !== undefined) {
        closeSync(this.#file);
        return;
      }
      if (error !== null) {
        this.#fail(error);
        return;
      }
      this.#durable = position;
      this.#call();
      if (this.#waiters.length > 0) this.#flushSoon();
    });
  }

  #call(): void {
    const count = this.#waiters.findIndex(({ position }) => position > this.#durable);
    const due = count === -1 ? this.#waiters : this.#waiters.slice(0, count);
    this.#waiters = count === -1 ? [] : this.#waiters.slice(count);
    for (const { then } of due) then();
  }

  #fail(error: unknown): void {
    this.#fault = unwritable(this.path, error);
    this.#waiters = [];
    this.#failed(this.#fault);
  }
}

function exists(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes a log that is whole from the moment at which it is there; nobody else may read it. */
function create(folder: string, path: string, first: LogRecord): void {
  const made = `${path}.new`;
  const file = openSync(made, 'w', 0o600);
  try {
    writeSync(file, framed(first, 0).bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(made, path);
  const directory = openSync(folder, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

const unwritable = (path: string, error: unknown): MillraceError =>
  new MillraceError(
    'venue-data-unwritable',
    `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}. Look at the rights and the space of its folder.`,
    { where: path, cause: error },
  );
