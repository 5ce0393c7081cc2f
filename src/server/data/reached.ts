import { closeSync, fdatasync, fdatasyncSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { micros, type Micros } from '../../platform/time.ts';
import { writeAll } from '../../platform/write-all.ts';

/** Time up to which everything has happened that follows from the log up to an offset. */
export interface ReachedStep {
  readonly at: Micros;
  /** End of the log, and the checksum of its last record. */
  readonly end: number;
  readonly checksum: number;
}

const FILE_MODE = 0o600;
const SLOT_BYTES = 24;
/** Two slots in separate sectors are written in turn, so that a kill leaves one of them whole. */
const SLOTS_AT = [0, 4_096] as const;
const AT_TIME = 4;
const AT_END = 12;
const AT_LOG = 20;

/**
 * Reached time when the venue last sent something that follows from log and time alone, such as a trade of
 * a generated market. It is overwritten in place, so that a watched market does not grow the files.
 */
export class Reached {
  readonly #file: number;
  #turn = 0;

  /** Opens the file at `path`. Throws system errors. */
  constructor(path: string) {
    this.#file = openSync(path, 'r+');
  }

  /** Creates a file with both slots. */
  static create(path: string, reach: ReachedStep): void {
    const file = openSync(path, 'w', FILE_MODE);
    try {
      for (const at of SLOTS_AT) writeAll(file, slot(reach), at);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Content of its slots; nothing if both are damaged. The next write spares the later one. */
  read(): readonly ReachedStep[] {
    const found = SLOTS_AT.map((at) => {
      const bytes = Buffer.alloc(SLOT_BYTES);
      const length = readSync(this.#file, bytes, 0, SLOT_BYTES, at);
      return length === SLOT_BYTES ? unslotted(bytes) : undefined;
    });
    const [first, second] = found;
    this.#turn = second === undefined || (first !== undefined && first.at > second.at) ? 1 : 0;
    return found.filter((reach) => reach !== undefined);
  }

  /** Throws system errors. */
  write(reach: ReachedStep): void {
    writeAll(this.#file, slot(reach), SLOTS_AT[this.#turn]);
    this.#turn = 1 - this.#turn;
  }

  /** Syncs the written slots. */
  sync(done: (error: Error | null) => void): void {
    fdatasync(this.#file, done);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function slot({ at, end, checksum }: ReachedStep): Buffer {
  const bytes = Buffer.alloc(SLOT_BYTES);
  bytes.writeDoubleLE(at, AT_TIME);
  bytes.writeDoubleLE(end, AT_END);
  bytes.writeUInt32LE(checksum, AT_LOG);
  bytes.writeUInt32LE(crc32(bytes.subarray(AT_TIME)), 0);
  return bytes;
}

function unslotted(bytes: Buffer): ReachedStep | undefined {
  if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(AT_TIME))) return undefined;
  const at = micros(bytes.readDoubleLE(AT_TIME));
  return { at, end: bytes.readDoubleLE(AT_END), checksum: bytes.readUInt32LE(AT_LOG) };
}
