import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { plainWords } from '../../../model/plain-words.ts';
import { ProcessLock } from '../../../platform/process-lock.ts';

const lots = z.codec(z.string().regex(/^\d+$/), z.bigint(), { decode: BigInt, encode: String });

/** A nonce of one address on one chain, and what it was given to. */
const entryForm = z.strictObject({
  chainId: z.int(),
  /** In small letters. */
  address: z.string(),
  nonce: z.int().min(0),
  /** The key of the order: the same one gets the same nonce again. */
  key: z.string(),
  /** Ids of all that was signed with it. */
  ids: z.array(z.string()),
  /** True from before the first of them was sent: then no other order may have it. */
  sent: z.boolean(),
  /** The most that it may cost, wei. */
  feeLots: lots,
  /** When it was given or sent; microseconds. */
  at: z.number(),
});

export type NonceEntry = z.output<typeof entryForm>;

/**
 * Which nonces were given to which orders. Each change is a line that is on the disk before anything
 * is signed or sent by it; the last line of a nonce counts. A line that a crash has cut off was never
 * acted upon. One process has the file at a time: two would give one nonce twice.
 */
export class NonceBook {
  readonly #path: string;
  readonly #entries = new Map<string, NonceEntry>();
  #lock: ProcessLock | undefined;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Takes the file and reads it. Throws `journal-locked` where another process has it,
   * `journal-unwritable`, and `journal-invalid` for what nobody has written.
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

  /** Lets another process have the file, for good. */
  close(): void {
    this.#isClosed = true;
    this.#lock?.release();
    this.#lock = undefined;
  }

  /** Those of an address, lowest nonce first. Throws what opening does. */
  of(chainId: number, address: string): readonly NonceEntry[] {
    this.open();
    return [...this.#entries.values()]
      .filter((one) => one.chainId === chainId && one.address === address.toLowerCase())
      .toSorted((one, other) => one.nonce - other.nonce);
  }

  /** Keeps an entry, on the disk when it returns. */
  write(entry: NonceEntry): void {
    this.open();
    const line = `${JSON.stringify(z.encode(entryForm, entry))}\n`;
    try {
      const file = openSync(this.#path, 'a', 0o600);
      try {
        writeSync(file, line);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw new MillraceError('journal-unwritable', `The nonces in ${this.#path} cannot be written, so nothing is signed.`, { where: this.#path, cause: error }); // prettier-ignore
    }
    this.#entries.set(keyOf(entry), entry);
  }

  #taken(): ProcessLock {
    const path = `${this.#path}.lock`;
    let lock: ProcessLock | undefined;
    try {
      lock = ProcessLock.take(path, () => undefined);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new MillraceError('journal-unwritable', `The nonces in ${this.#path} cannot be locked: ${plainWords(why)}. Look at the rights and the space of its folder.`, { where: path, cause: error }); // prettier-ignore
    }
    if (lock !== undefined) return lock;
    throw new MillraceError('journal-locked', `Another process, or another node of this one, gives nonces by ${this.#path}; two would give one twice. Stop it first, or use another key with a file of its own.`, { where: path }); // prettier-ignore
  }

  #read(): void {
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : '';
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    // Whatever follows a line that was cut off begins a line of its own.
    if (last !== '') this.#mend();
    for (const line of lines) {
      if (line === '') continue;
      const entry = readEntry(line);
      if (entry !== undefined) this.#entries.set(keyOf(entry), entry);
      else if (!line.endsWith(CUT)) throw this.#invalid(line);
    }
  }

  #mend(): void {
    const file = openSync(this.#path, 'a');
    writeSync(file, `${CUT}\n`);
    closeSync(file);
  }

  #invalid(line: string): MillraceError {
    const what = `The nonces in ${this.#path} hold a line that no release has written: ${line.slice(0, 80)}.`;
    return new MillraceError('journal-invalid', `${what} Put back a copy; without one, look at the chain for what is under way before anything is sent.`, { where: this.#path }); // prettier-ignore
  }
}

const CUT = ' (cut off)';

function readEntry(line: string): NonceEntry | undefined {
  try {
    return entryForm.safeDecode(JSON.parse(line) as z.input<typeof entryForm>).data;
  } catch {
    return undefined;
  }
}

const keyOf = ({ chainId, address, nonce }: NonceEntry): string => `${chainId} ${address} ${nonce}`;
