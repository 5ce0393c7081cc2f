import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { MillraceError } from '../model/errors.ts';

/** A file open for reading at any offset. */
export class OpenFile {
  readonly path: string;
  readonly length: number;
  #file: number | undefined;

  /** Throws `file-missing` when it is not there, is not a regular file or cannot be read. */
  constructor(path: string) {
    this.path = path;
    try {
      const found = statSync(path);
      if (found.isDirectory()) throw new Error('it is a folder');
      // Opening a named pipe without a writer would wait for ever.
      if (!found.isFile()) throw new Error('it is not a regular file');
      this.#file = openSync(path, 'r');
      this.length = fstatSync(this.#file).size;
    } catch (cause) {
      this.close();
      throw missing(path, cause);
    }
  }

  /** Fills `bytes` from `position` on; false when the file ends before. */
  read(bytes: Uint8Array, position: number): boolean {
    if (this.#file === undefined) throw new MillraceError('internal', `${this.path} is closed.`);
    try {
      for (let done = 0; done < bytes.length;) {
        const count = readSync(this.#file, bytes, done, bytes.length - done, position + done);
        if (count === 0) return false;
        done += count;
      }
    } catch (cause) {
      throw missing(this.path, cause);
    }
    return true;
  }

  /** `count` bytes from `position` on, `undefined` when the file ends before. */
  slice(position: number, count: number): Buffer | undefined {
    if (position < 0 || count < 0 || position + count > this.length) return undefined;
    const bytes = Buffer.alloc(count);
    return this.read(bytes, position) ? bytes : undefined;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

function missing(path: string, cause: unknown): MillraceError {
  const absent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  const why = absent
    ? 'is not there: check the path'
    : `cannot be read (${cause instanceof Error ? cause.message : String(cause)})`;
  return new MillraceError('file-missing', `${path} ${why}.`, { where: path, cause });
}
