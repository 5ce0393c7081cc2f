import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, MillraceError } from '../../model/errors.ts';
import { writeAll } from '../../platform/write-all.ts';

/**
 * A file to which lines are appended, each before the call returns. A program that copies and empties it
 * (`copytruncate` of logrotate) can rotate it.
 */
export class LineFile {
  readonly #descriptor: number;
  readonly #lost: (why: string) => void;
  /** Lines were lost, and the last one may be incomplete. */
  #failing = false;

  /** `lost` is called when lines begin to be lost, such as on a full disk. Throws `file-unwritable`. */
  constructor(path: string, lost: (why: string) => void) {
    this.#lost = lost;
    try {
      mkdirSync(dirname(path), { recursive: true });
      this.#descriptor = openSync(path, 'a', 0o600);
    } catch (cause) {
      const why = errorText(cause);
      throw new MillraceError(
        'file-unwritable',
        `The log cannot be written to ${path} (${why}). Choose another file as log.file.`,
        { where: path, cause },
      );
    }
  }

  write(line: string): void {
    try {
      writeAll(this.#descriptor, Buffer.from(this.#failing ? `\n${line}` : line));
      this.#failing = false;
    } catch (error) {
      if (this.#failing) return;
      this.#failing = true;
      this.#lost(errorText(error));
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
