import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  fstatSync,
  openSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { afterTurn } from '../../platform/turn.ts';
import type { Micros } from '../../platform/time.ts';
import { Ballast, isWithoutRoom } from './ballast.ts';
import { framed, type LogRecord } from './frame.ts';
import { LogReader } from './log-reader.ts';
import { Reached } from './reached.ts';
import { writeAll } from '../../platform/write-all.ts';

const FILE = 'inputs.log';
const REACHED_FILE = 'reached';
const BALLAST_FILE = 'ballast';

/** Listener of the log's state. */
export interface LogListener {
  /** Called once when it can no longer be written. */
  readonly failed: (error: MillraceError) => void;
  /** The disk has become full, or there is room again. */
  readonly full?: (isFull: boolean) => void;
}

interface Waiter {
  readonly step: number;
  readonly then: () => void;
}

/** An open log: its first record is read, and the others follow. */
export interface OpenedLog {
  readonly log: InputLog;
  readonly first: LogRecord;
  /** True if there was none before. */
  readonly isNew: boolean;
}

/**
 * The inputs of a venue in a file, in their order, and beside it how far time has come since. Records
 * appended in one turn of the event loop are written and synced together.
 */
export class InputLog {
  readonly path: string;
  readonly #file: number;
  readonly #reached: Reached;
  readonly #reader: LogReader;
  readonly #ballast: Ballast;
  readonly #listener: LogListener;
  #isFull = false;
  #checksum = 0;
  /** Records to write at the end of this turn. */
  #pending: Buffer[] = [];
  /** Time reached since the last record, if that is to be written too. */
  #reach: Micros | undefined;
  /** Bytes that were appended. */
  #appended = 0;
  /** Whatever is to be on the disk is a step; those that are there, and those of the log alone. */
  #steps = 0;
  #durable = 0;
  #logSteps = 0;
  #logDurable = 0;
  #waiters: Waiter[] = [];
  #isFlushing = false;
  #isSyncing = false;
  #isClosed = false;
  #fault: MillraceError | undefined;

  private constructor(folder: string, listener: LogListener) {
    this.path = join(folder, FILE);
    this.#file = openSync(this.path, 'r+');
    try {
      this.#reached = new Reached(join(folder, REACHED_FILE));
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
    this.#reader = new LogReader(this.#file, this.path);
    this.#ballast = new Ballast(join(folder, BALLAST_FILE));
    this.#listener = listener;
  }

  /**
   * Opens the log of a folder, and creates one that begins with `first` if there is none. Throws
   * `venue-data-invalid`, `venue-data-unwritable`.
   */
  static open(folder: string, first: () => LogRecord, listener: LogListener): OpenedLog {
    const path = join(folder, FILE);
    try {
      const isNew = !exists(path);
      // The reached time is written after the log exists: without it the log is missing.
      if (isNew && exists(join(folder, REACHED_FILE))) throw logMissing(folder);
      if (isNew) create(folder, path, first());
      else if (!exists(join(folder, REACHED_FILE))) throw missing(folder);
      const log = new InputLog(folder, listener);
      try {
        const read = log.read();
        if (read !== undefined) return { log, first: read, isNew };
      } catch (error) {
        log.#release();
        throw error;
      }
      log.#release();
    } catch (error) {
      throw error instanceof MillraceError ? error : unwritable(path, error);
    }
    throw new MillraceError('venue-data-invalid', `${path} is no log of a venue.`, { where: path });
  }

  /** How many bytes there are to read. */
  get size(): number {
    return fstatSync(this.#file).size;
  }

  /** End of the records read so far. */
  get readTo(): number {
    return this.#reader.end;
  }

  /** The next existing record; nothing after the last one. Throws `venue-data-invalid`. */
  read(): LogRecord | undefined {
    return this.#reader.next();
  }

  /** Time reached after the last record read; 0 if nobody could have seen it. */
  readReached(): number {
    const { end, checksum } = this.#reader;
    const slots = this.#reached.read();
    if (slots.length === 0) throw damagedReach(this.path);
    const own = slots.filter((slot) => slot.end === end && slot.checksum === checksum);
    return Math.max(0, ...own.map(({ at }) => at));
  }

  /** Continues after the last record read; returns how many bytes of an unfinished one are cut. */
  continueLog(): number {
    const { end, checksum } = this.#reader;
    this.#checksum = checksum;
    this.#appended = end;
    try {
      const cut = fstatSync(this.#file).size - end;
      ftruncateSync(this.#file, end);
      fdatasyncSync(this.#file);
      if (!this.#ballast.fill()) throw new Error('the disk has no room to set aside');
      return cut;
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  /** True from when the disk was full until there is room again: the reserved space is used then. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Sets room aside again if there is some; true if there was. */
  makeRoom(): boolean {
    if (this.#isFull && this.#fault === undefined && this.#ballast.fill()) {
      this.#isFull = false;
      this.#listener.full?.(false);
    }
    return !this.#isFull;
  }

  /** Appends a record. Throws once it cannot be written. */
  append(at: Micros, text: string): void {
    if (this.#fault !== undefined) throw this.#fault;
    const { bytes, checksum } = framed({ at, text }, this.#checksum);
    this.#checksum = checksum;
    this.#pending.push(bytes);
    this.#appended += bytes.length;
    this.#steps += 1;
    this.#logSteps = this.#steps;
    // The time of a record says the same.
    this.#reach = undefined;
    this.#flushSoon();
  }

  /** Time has reached `at` since the last record, with effects that may be seen. */
  reach(at: Micros): void {
    this.#reach = at;
    this.#steps += 1;
    this.#flushSoon();
  }

  get isDurable(): boolean {
    return this.#steps <= this.#durable;
  }

  /** Calls `then` when everything appended is on disk; never if that fails. */
  whenDurable(then: () => void): void {
    if (this.isDurable && this.#waiters.length === 0) {
      then();
      return;
    }
    this.#waiters.push({ step: this.#steps, then });
    this.#flushSoon();
  }

  /** Syncs everything and closes; nobody is called any more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiters = [];
    if (this.#fault === undefined) {
      this.#write();
      if (this.#fault === undefined) fdatasyncSync(this.#file);
    }
    this.#fault ??= new MillraceError('venue-data-unwritable', `${this.path} is closed.`);
    if (!this.#isSyncing) this.#release();
  }

  #release(): void {
    closeSync(this.#file);
    this.#reached.close();
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
    if (this.#fault !== undefined) return;
    try {
      this.#withRoom(() => {
        this.#writePending();
      });
      // One of the two slots is always whole, as the other is written only after it is durable.
      const at = this.#reach;
      if (at === undefined || this.#isSyncing) return;
      this.#withRoom(() => {
        this.#reached.write({ at, end: this.#appended, checksum: this.#checksum });
      });
      this.#reach = undefined;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Writes into the reserved space if the disk is full. */
  #withRoom(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (this.#isFull || !isWithoutRoom(error)) throw error;
      this.#isFull = true;
      this.#ballast.release();
      this.#listener.full?.(true);
      write();
    }
  }

  #writePending(): void {
    if (this.#pending.length === 0) return;
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    writeAll(this.#file, bytes, this.#appended - bytes.length);
    this.#pending = [];
  }

  /** Syncs if somebody waits; callers that arrive during it wait for the next one. */
  #sync(): void {
    if (this.#isSyncing || this.#fault !== undefined || this.#waiters.length === 0) return;
    if (this.isDurable) {
      this.#call();
      return;
    }
    const steps = this.#steps;
    const logSteps = this.#logSteps;
    const isLog = logSteps > this.#logDurable;
    const isReach = steps > logSteps;
    this.#isSyncing = true;
    const done = (error: Error | null): void => {
      this.#synced(error, steps, logSteps);
    };
    const reach = (error: Error | null): void => {
      if (error !== null || !isReach) done(error);
      else this.#reached.sync(done);
    };
    if (isLog) fdatasync(this.#file, reach);
    else reach(null);
  }

  #synced(error: Error | null, steps: number, logSteps: number): void {
    this.#isSyncing = false;
    if (this.#isClosed) {
      this.#release();
      return;
    }
    if (this.#fault !== undefined) return;
    if (error !== null) {
      this.#fail(error);
      return;
    }
    this.#durable = steps;
    this.#logDurable = logSteps;
    this.#call();
    if (this.#waiters.length > 0) this.#flushSoon();
  }

  #call(): void {
    const count = this.#waiters.findIndex(({ step }) => step > this.#durable);
    const due = count === -1 ? this.#waiters : this.#waiters.slice(0, count);
    this.#waiters = count === -1 ? [] : this.#waiters.slice(count);
    for (const { then } of due) then();
  }

  #fail(error: unknown): void {
    this.#fault = unwritable(this.path, error);
    this.#waiters = [];
    this.#pending = [];
    this.#listener.failed(this.#fault);
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

/** Creates a complete log atomically; nobody else may read it. */
function create(folder: string, path: string, first: LogRecord): void {
  const { bytes, checksum } = framed(first, 0);
  Reached.create(join(folder, REACHED_FILE), { at: first.at, end: bytes.length, checksum });
  const made = `${path}.new`;
  const file = openSync(made, 'w', 0o600);
  try {
    writeAll(file, bytes);
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

const missing = (folder: string): MillraceError =>
  new MillraceError(
    'venue-data-invalid',
    `${folder} has a log of inputs but no file "${REACHED_FILE}", which says how far time had come behind it. Bring back a copy of the whole folder, or begin with another one.`,
    { where: folder },
  );

const logMissing = (folder: string): MillraceError =>
  new MillraceError(
    'venue-data-invalid',
    `${folder} was used by a venue and has no log "${FILE}" any more. Bring back a copy of the whole folder, or begin with another one.`,
    { where: folder },
  );

const damagedReach = (path: string): MillraceError =>
  new MillraceError(
    'venue-data-invalid',
    `The file "${REACHED_FILE}" beside ${path} is damaged, so nobody knows how far time had come. Bring back a copy of the folder, or begin with another one.`,
    { where: path },
  );
