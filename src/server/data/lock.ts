import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MillraceError } from '../../model/errors.ts';

const SQLITE_BUSY = 5;

/**
 * One process per data folder. The lock is one of the operating system on `lock`, taken through
 * SQLite and held by an open transaction, so that it is gone with its process however that ends.
 */
export class FolderLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Makes the folder where there is none and takes its lock. Throws `venue-data-locked` where
   * another process has it, and `venue-data-unwritable`.
   */
  static take(folder: string): FolderLock {
    const path = join(folder, 'lock');
    let database: DatabaseSync | undefined;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      ensureOwn(path);
      database = new DatabaseSync(path, { timeout: 0 });
      database.exec('BEGIN IMMEDIATE');
      writeFileSync(join(folder, 'holder'), `${process.pid}\n`, { mode: 0o600 });
    } catch (error) {
      database?.close();
      if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
        throw new MillraceError(
          'venue-data-locked',
          `Another venue${holderOf(folder)} keeps its state in ${folder}; stop it first, or name another folder.`,
          { where: folder },
        );
      }
      throw new MillraceError(
        'venue-data-unwritable',
        `The folder ${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}. Look at its rights and space.`,
        { where: folder, cause: error },
      );
    }
    return new FolderLock(database);
  }

  release(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/**
 * Makes the file of the lock, for its owner alone; SQLite gives what it makes beside it the same
 * rights. A link of that name is not followed. Nobody holds a lock on it in this process yet.
 */
function ensureOwn(path: string): void {
  const {
    O_CREAT,
    O_RDWR,
    O_NOFOLLOW = 0,
  } = constants as Partial<typeof constants> & {
    readonly O_CREAT: number;
    readonly O_RDWR: number;
  };
  const file = openSync(path, O_CREAT | O_RDWR | O_NOFOLLOW, OWN);
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is no regular file');
    fchmodSync(file, OWN);
  } finally {
    closeSync(file);
  }
}

const OWN = 0o600;

/** The process that wrote its number last; nothing where nobody did. */
function holderOf(folder: string): string {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'holder'), 'utf8'), 10);
    return Number.isNaN(pid) ? '' : ` (process ${pid})`;
  } catch {
    return '';
  }
}
