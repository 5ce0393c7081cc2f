import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { errorText, MillraceError } from '../../model/errors.ts';
import { writeAll } from '../../platform/write-all.ts';

/** A JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json };

/** Facts by name. */
type Facts = Readonly<Record<string, Json>>;

/** A slot as it was read. */
interface Slot {
  readonly sequence: number;
  readonly facts: Facts;
}

/** Identity and path of a state file. */
export interface FileIdentity {
  readonly inode: string;
  readonly path: string;
}

/** Room of each slot in a new file. */
const SLOT_BYTES = 32_768;
const HEAD = /^millrace-state 1 (\d{16}) (\d{10}) ([0-9a-f]{8})\n$/;
const HEAD_BYTES = 54;
/** A link cannot lead the process to another file. */
const NO_LINK = constants.O_NOFOLLOW;

/**
 * A few facts beside a journal that outlive it: a small file of JSON with two slots of a fixed size. A
 * write goes to the older slot, in place, so that it works on a full disk, and a crash during it leaves the
 * other slot intact.
 */
export class StateFile {
  readonly path: string;
  /** True if the file was not there before. */
  readonly isNew: boolean;
  #descriptor: number;
  #slotBytes: number;
  #sequence: number;
  #facts: Facts;

  private constructor(path: string, isNew: boolean, descriptor: number) {
    this.path = path;
    this.isNew = isNew;
    this.#descriptor = descriptor;
    this.#slotBytes = Math.floor(fstatSync(descriptor).size / 2);
    const newest = newestOf(descriptor, this.#slotBytes);
    if (newest === undefined) throw damaged(path);
    this.#sequence = newest.sequence;
    this.#facts = newest.facts;
  }

  /**
   * Opens the file and creates it if there is none; its folder must exist. One process at a time holds it:
   * its caller has the lock of the account. Throws `journal-invalid` if both slots are damaged, and
   * `journal-unwritable`.
   */
  static open(path: string): StateFile {
    let descriptor: number | undefined;
    try {
      const isNew = !existsSync(path);
      if (isNew) make(path, SLOT_BYTES, { sequence: 0, facts: {} });
      descriptor = openSync(path, constants.O_RDWR | NO_LINK);
      return new StateFile(path, isNew, descriptor);
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      throw error instanceof MillraceError ? error : unwritable(path, error);
    }
  }

  /** The facts of a file without locking it; `undefined` if there is none. Throws `journal-invalid`. */
  static read(path: string): Facts | undefined {
    if (!existsSync(path)) return undefined;
    const descriptor = openSync(path, constants.O_RDONLY | NO_LINK);
    try {
      const newest = newestOf(descriptor, Math.floor(fstatSync(descriptor).size / 2));
      if (newest === undefined) throw damaged(path);
      return newest.facts;
    } finally {
      closeSync(descriptor);
    }
  }

  /** The fact of a name; `undefined` if there is none. */
  get(name: string): Json | undefined {
    return Object.hasOwn(this.#facts, name) ? this.#facts[name] : undefined;
  }

  /**
   * Stores facts by name, all or none; `undefined` deletes one. They are on disk when this returns. Throws
   * `journal-unwritable`; the earlier facts remain.
   */
  set(changes: Readonly<Record<string, Json | undefined>>): void {
    const kept = Object.entries({ ...this.#facts, ...changes }).filter(
      (entry): entry is [string, Json] => entry[1] !== undefined,
    );
    let next: Slot = { sequence: this.#sequence + 1, facts: Object.fromEntries(kept) };
    try {
      const bytes = encoded(next);
      if (bytes.length > this.#slotBytes) {
        next = { ...next, facts: this.#grow(next, bytes.length) };
      } else {
        writeAll(this.#descriptor, padded(bytes, this.#slotBytes), this.#offset(next.sequence));
        fdatasyncSync(this.#descriptor);
      }
    } catch (error) {
      throw unwritable(this.path, error);
    }
    this.#sequence = next.sequence;
    this.#facts = next.facts;
  }

  /** The file and its path: a copy is a different file, a moved one has another path. */
  get identity(): FileIdentity {
    return identityOf(this.#descriptor, this.path);
  }

  close(): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }

  #grow(next: Slot, bytes: number): Facts {
    let room = this.#slotBytes;
    while (room < 2 * bytes) room *= 2;
    const made = make(this.path, room, next);
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.path, constants.O_RDWR | NO_LINK);
    this.#slotBytes = room;
    return made;
  }

  #offset(sequence: number): number {
    return (sequence % 2) * this.#slotBytes;
  }
}

/**
 * Creates a file with its two slots, atomically for other readers. Returns the facts with the location of
 * the new file.
 */
function make(path: string, slotBytes: number, { sequence, facts }: Slot): Facts {
  const written = `${path}.new`;
  const { O_RDWR, O_CREAT, O_TRUNC } = constants;
  const descriptor = openSync(written, O_RDWR | O_CREAT | O_TRUNC | NO_LINK, 0o600);
  let placed: Facts;
  try {
    placed = { ...facts, place: { ...identityOf(descriptor, path) } };
    const full = padded(encoded({ sequence, facts: placed }), slotBytes);
    const empty = padded(Buffer.alloc(0), slotBytes);
    writeAll(descriptor, Buffer.concat(sequence % 2 === 0 ? [full, empty] : [empty, full]), 0);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(written, path);
  const folder = openSync(dirname(path), constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return placed;
}

const identityOf = (descriptor: number, path: string): FileIdentity => ({
  inode: String(fstatSync(descriptor, { bigint: true }).ino),
  path: resolve(path),
});

function encoded({ sequence, facts }: Slot): Buffer {
  const body = Buffer.from(JSON.stringify(facts));
  const head = `millrace-state 1 ${String(sequence).padStart(16, '0')} ${String(body.length).padStart(10, '0')} `;
  const check = crc32(body, crc32(head)).toString(16).padStart(8, '0');
  return Buffer.concat([Buffer.from(`${head}${check}\n`), body]);
}

/** Spaces up to the end of the slot, so that nothing of an older and longer text is left. */
function padded(bytes: Buffer, length: number): Buffer {
  const room = Buffer.alloc(length, 0x20);
  bytes.copy(room);
  room[length - 1] = 0x0a;
  return room;
}

function newestOf(descriptor: number, slotBytes: number): Slot | undefined {
  const slots = [0, slotBytes].flatMap((offset) => decoded(descriptor, slotBytes, offset) ?? []);
  return slots.sort((one, other) => other.sequence - one.sequence)[0];
}

function decoded(descriptor: number, slotBytes: number, offset: number): Slot | undefined {
  const bytes = Buffer.alloc(slotBytes);
  const read = readSync(descriptor, bytes, 0, slotBytes, offset);
  const match = HEAD.exec(bytes.toString('latin1', 0, HEAD_BYTES));
  if (read < HEAD_BYTES || match === null) return undefined;
  const [head, sequence = '', length = '', check = ''] = match;
  const body = bytes.subarray(HEAD_BYTES, HEAD_BYTES + Number(length));
  const found = crc32(body, crc32(head.slice(0, -check.length - 1)));
  if (found !== Number.parseInt(check, 16)) return undefined;
  return { sequence: Number(sequence), facts: JSON.parse(body.toString()) as Facts };
}

const damaged = (path: string): MillraceError =>
  new MillraceError(
    'journal-invalid',
    `The file ${path} is damaged: neither of its two slots can be read. Put back a copy, or move it away and look at what the bot reports of its journal at the next start.`,
    { where: path },
  );

const unwritable = (path: string, error: unknown): MillraceError =>
  new MillraceError(
    'journal-unwritable',
    `The file ${path} cannot be written: ${errorText(error)}. Look at the rights and the space of its folder.`,
    { where: path, cause: error },
  );
