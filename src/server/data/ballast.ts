import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { writeAll } from '../../platform/write-all.ts';

/** More than requests can write in one turn of the event loop. */
const BALLAST_BYTES = 8 << 20;
const CHUNK = Buffer.alloc(1 << 20);
const FILE_MODE = 0o600;

/** True if a write failed for want of room. */
export const isWithoutRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/**
 * Reserved disk space, so that a venue whose disk is full can still write what it has done, and does
 * nothing more.
 */
export class Ballast {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reserves the space; false if there is not enough. Throws other system errors. */
  fill(): boolean {
    const file = openSync(this.#path, 'w', FILE_MODE);
    try {
      for (let left = BALLAST_BYTES; left > 0; left -= CHUNK.length) {
        writeAll(file, CHUNK);
      }
      return true;
    } catch (error) {
      ftruncateSync(file, 0);
      if (isWithoutRoom(error)) return false;
      throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Releases the space. */
  release(): void {
    closeSync(openSync(this.#path, 'w', FILE_MODE));
  }
}
