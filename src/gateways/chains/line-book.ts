import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';

/** Smallest units, as digits in a file. */
export const digits = z.codec(z.string().regex(/^\d+$/), z.bigint(), {
  decode: BigInt,
  encode: String,
});

/** What a book holds: the form of its lines, and what tells its entries apart. */
export interface LineForm<Entry> {
  /** `nonces`, for sentences. */
  readonly what: string;
  readonly schema: z.ZodType<Entry>;
  keyOf(entry: Entry): string;
}

/**
 * What a node was about to do, in a file. Each change is a line that is on the disk before anything is
 * signed or sent by it; the last line of a key counts. A line that a crash has cut off was never acted
 * upon.
 */
export class LineBook<Entry> {
  readonly #path: string;
  readonly #form: LineForm<Entry>;
  readonly #entries = new Map<string, Entry>();
  #isRead = false;

  constructor(path: string, form: LineForm<Entry>) {
    this.#path = path;
    this.#form = form;
  }

  /** In the order in which their keys came. Throws `journal-invalid` for what nobody has written. */
  entries(): readonly Entry[] {
    this.#read();
    return [...this.#entries.values()];
  }

  /** Keeps an entry, on the disk when it returns. */
  write(entry: Entry): void {
    this.#read();
    const line = `${JSON.stringify(z.encode(this.#form.schema, entry))}\n`;
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      const file = openSync(this.#path, 'a', 0o600);
      try {
        writeSync(file, line);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw new MillraceError('journal-unwritable', `The ${this.#form.what} in ${this.#path} cannot be written, so nothing is signed.`, { where: this.#path, cause: error }); // prettier-ignore
    }
    this.#entries.set(this.#form.keyOf(entry), entry);
  }

  #read(): void {
    if (this.#isRead) return;
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : '';
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    // Whatever follows a line that was cut off begins a line of its own.
    if (last !== '') this.#mend();
    for (const line of lines) {
      if (line === '') continue;
      const entry = this.#entryIn(line);
      if (entry !== undefined) this.#entries.set(this.#form.keyOf(entry), entry);
      else if (!line.endsWith(CUT)) throw this.#invalid(line);
    }
    this.#isRead = true;
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
    writeSync(file, `${CUT}\n`);
    closeSync(file);
  }

  #invalid(line: string): MillraceError {
    const what = `The ${this.#form.what} in ${this.#path} hold a line that no release has written: ${line.slice(0, 80)}.`;
    return new MillraceError('journal-invalid', `${what} Put back a copy; without one, look at the chain for what is under way before anything is sent.`, { where: this.#path }); // prettier-ignore
  }
}

const CUT = ' (cut off)';
