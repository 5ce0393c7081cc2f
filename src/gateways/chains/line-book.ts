import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { writeAll } from '../../platform/write-all.ts';

/** Smallest units, as digits in a file. */
export const digits = z.codec(z.string().regex(/^\d+$/), z.bigint(), {
  decode: BigInt,
  encode: String,
});

/** Form of a book's lines, and the key of its entries. */
export interface LineForm<Entry> {
  /** `nonces`, for sentences. */
  readonly what: string;
  readonly schema: z.ZodType<Entry>;
  keyOf(entry: Entry): string;
}

/**
 * A file of what a node is about to do. Each change is a line that is on disk before anything is signed or
 * sent by it; the last line of a key counts. A line that a crash has cut off was never acted upon. One
 * process has the file at a time: two would act twice with one key.
 */
export class LineBook<Entry> {
  readonly #path: string;
  readonly #form: LineForm<Entry>;
  readonly #entries = new Map<string, Entry>();
  #lock: ProcessLock | undefined;
  #isClosed = false;
  /** A write has failed, and perhaps left a part of its line. */
  #isCut = false;

  constructor(path: string, form: LineForm<Entry>) {
    this.#path = path;
    this.#form = form;
  }

  /**
   * Locks and reads the file. Throws `journal-locked` if another process has it, `journal-unwritable`, and
   * `journal-invalid` for invalid lines.
   */
  open(): void {
    if (this.#lock !== undefined) return;
    if (this.#isClosed) throw new MillraceError('unreachable', 'The node was closed before it was asked.'); // prettier-ignore
    const lock = this.#taken();
    try {
      this.#read();
    } catch (error) {
      lock.release();
      throw error;
    }
    this.#lock = lock;
  }

  /** Releases the file for good. */
  close(): void {
    this.#isClosed = true;
    this.#lock?.release();
    this.#lock = undefined;
  }

  /** In the order of their keys' first lines. Throws what opening does. */
  entries(): readonly Entry[] {
    this.open();
    return [...this.#entries.values()];
  }

  /** Stores an entry; it is on disk when this returns. */
  write(entry: Entry): void {
    this.open();
    const line = `${JSON.stringify(z.encode(this.#form.schema, entry))}\n`;
    try {
      const file = openSync(this.#path, 'a', 0o600);
      try {
        writeAll(file, Buffer.from(this.#isCut ? `${CUT}\n${line}` : line));
        fsyncSync(file);
        this.#isCut = false;
      } finally {
        closeSync(file);
      }
    } catch (error) {
      this.#isCut = true;
      throw new MillraceError('journal-unwritable', `The ${this.#form.what} in ${this.#path} cannot be written, so nothing is signed.`, { where: this.#path, cause: error }); // prettier-ignore
    }
    this.#entries.set(this.#form.keyOf(entry), entry);
  }

  #taken(): ProcessLock {
    const path = `${this.#path}.lock`;
    const { what } = this.#form;
    let lock: ProcessLock | undefined;
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      lock = ProcessLock.take(path, () => undefined);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new MillraceError('journal-unwritable', `The ${what} in ${this.#path} cannot be locked: ${sanitize(why)}. Look at the rights and the space of its folder.`, { where: path, cause: error }); // prettier-ignore
    }
    if (lock !== undefined) return lock;
    throw new MillraceError('journal-locked', `Another process, or another node of this one, has the ${what} in ${this.#path}; two would pay twice with one key. Stop it first, or use another key with a file of its own.`, { where: path }); // prettier-ignore
  }

  #read(): void {
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : '';
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    // After a cut line a new one begins.
    if (last !== '') this.#mend();
    for (const line of lines) {
      if (line === '') continue;
      const entry = this.#entryIn(line);
      if (entry !== undefined) this.#entries.set(this.#form.keyOf(entry), entry);
      else if (!line.endsWith(CUT)) throw this.#invalid(line);
    }
  }

  #entryIn(line: string): Entry | undefined {
    try {
      return this.#form.schema.safeDecode(JSON.parse(line)).data;
    } catch {
      return undefined;
    }
  }

  #mend(): void {
    const file = openSync(this.#path, 'a');
    writeAll(file, Buffer.from(`${CUT}\n`));
    closeSync(file);
  }

  #invalid(line: string): MillraceError {
    const what = `The ${this.#form.what} in ${this.#path} hold a line that no release has written: ${line.slice(0, 80)}.`;
    return new MillraceError('journal-invalid', `${what} Put back a copy; without one, look at the chain for what is under way before anything is sent.`, { where: this.#path }); // prettier-ignore
  }
}

const CUT = ' (cut off)';
