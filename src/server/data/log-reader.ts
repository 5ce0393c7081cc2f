import { readSync } from 'node:fs';
import { MillraceError } from '../../model/errors.ts';
import { hasRecordBehind, unframed, type LogRecord } from './frame.ts';

const CHUNK_BYTES = 1 << 20;
/** Bytes after a fault that are searched for a whole record. */
const SEARCH_BYTES = 1 << 28;

/** Reads the records of a log file, one after the other. */
export class LogReader {
  /** End of the records read so far, and the checksum of the last of them. */
  end = 0;
  checksum = 0;
  readonly #file: number;
  readonly #path: string;
  /** Unprocessed bytes of the file. */
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #position = 0;

  constructor(file: number, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /**
   * The next record; nothing if there is none, or only the beginning of one at the end, as a process killed
   * while writing leaves it. Throws `venue-data-invalid` for any other content.
   */
  next(): LogRecord | undefined {
    for (;;) {
      const found = unframed(this.#bytes, this.#start);
      if (found.kind === 'record') {
        if (found.previous !== this.checksum) throw this.#damaged('is not the one that follows');
        this.end += found.end - this.#start;
        this.#start = found.end;
        this.checksum = found.checksum;
        return found.record;
      }
      if (found.kind === 'short' && this.#more()) continue;
      this.#checkRest(found.kind);
      return undefined;
    }
  }

  /** Reads on; false at the end of the file. */
  #more(): boolean {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(this.#file, chunk, 0, CHUNK_BYTES, this.#position);
    this.#position += length;
    const rest = this.#bytes.subarray(this.#start);
    this.#bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
    this.#start = 0;
    return length > 0;
  }

  /** The bytes after the last record may be the beginning of another, or room that was never written. */
  #checkRest(kind: 'short' | 'wrong'): void {
    while (this.#bytes.length - this.#start < SEARCH_BYTES && this.#more());
    const rest = this.#bytes.subarray(this.#start);
    const isUnwritten = rest.every((byte) => byte === 0);
    if (isUnwritten) return;
    if (kind === 'wrong' || hasRecordBehind(rest, 0)) throw this.#damaged('is damaged');
  }

  #damaged(what: string): MillraceError {
    return new MillraceError(
      'venue-data-invalid',
      `The record at byte ${this.end} of ${this.#path} ${what}, so the state cannot be restored. Bring back a copy of the folder, or begin with another one.`,
      { where: this.#path },
    );
  }
}
