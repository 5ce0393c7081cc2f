import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText, MillraceError } from '../../model/errors.ts';
import { writeAll } from '../../platform/write-all.ts';

/** Closes the file of a table that was garbage collected. */
const closing = new FinalizationRegistry<number>((file) => {
  closeSync(file);
});

/**
 * Storage of a long run's table beyond its memory: an unnamed file in the folder for temporary
 * files (`TMPDIR`), which ends with the process or with its table.
 */
export class SpillFile {
  readonly #file: number;

  /** Throws `file-unwritable`. */
  constructor() {
    this.#file = attempt(() => {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-run-'));
      try {
        return openSync(join(folder, 'rows'), 'wx+', 0o600);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
    closing.register(this, this.#file);
  }

  /** Writes bytes at a position. Throws `file-unwritable`. */
  write(position: number, bytes: Uint8Array): void {
    attempt(() => {
      writeAll(this.#file, bytes, position);
    });
  }

  /** Reads the bytes at a position into `bytes`. */
  read(position: number, bytes: Uint8Array): void {
    attempt(() => {
      for (let done = 0; done < bytes.length;) {
        const count = readSync(this.#file, bytes, done, bytes.length - done, position + done);
        if (count === 0) throw new Error('it ends before its rows do');
        done += count;
      }
    });
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new MillraceError(
      'file-unwritable',
      `The rows of this run no longer fit in memory, and could not be kept in a file in ${tmpdir()} (${errorText(cause)}). Free some space, or set TMPDIR to a folder on a disk with room.`,
      { where: tmpdir(), cause },
    );
  }
}
