import { lstatSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from '../../feeds/folder.ts';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';

/** A file to be made. */
export interface NewFile {
  /** Absolute, or relative to the folder that the command runs in. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Files that are made together: none is overwritten, and none stays if one fails. */
export class FileSet {
  readonly #made: string[] = [];
  readonly #folders: string[] = [];

  /** Makes the file and its folders. Throws `file-exists` and `file-unwritable`. */
  write({ path, content }: NewFile): void {
    try {
      this.#folders.push(...makeFolders(dirname(path)));
      // A file created in between is not overwritten either.
      writeFileSync(path, content, { flag: 'wx' });
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw exists(path);
      throw unwritable(path, cause);
    }
    this.#made.push(path);
  }

  /** Removes only what was made here. */
  undo(): void {
    for (const path of this.#made.splice(0)) rmSync(path, { force: true });
    for (const folder of this.#folders.splice(0).toReversed()) {
      try {
        rmdirSync(folder);
      } catch {
        // Somebody has put something into it.
      }
    }
  }
}

/** Throws `file-exists` for the first path that exists, `file-unwritable` for an invalid one. */
export function refuseExisting(paths: readonly string[]): void {
  for (const path of paths) {
    if (isThere(path)) throw exists(path);
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

const unwritable = (path: string, cause: unknown): MillraceError =>
  new MillraceError(
    'file-unwritable',
    `${path} cannot be written (${messageOf(cause)}). Free some space, or choose another folder.`,
    { where: path, cause },
  );

const exists = (path: string): MillraceError =>
  new MillraceError(
    'file-exists',
    `${path} exists, and nothing was changed. Give another name, or move it away.`,
    { where: path },
  );
