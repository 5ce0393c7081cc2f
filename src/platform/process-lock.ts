import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensureOwnFile } from './own-file.ts';

const SQLITE_BUSY = 5;

/**
 * A lock of one process: one of the operating system on a file, taken through SQLite and held by an open
 * transaction, so that it is released with its process however that ends.
 */
export class ProcessLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Takes the lock on a file, which is created with its folder if there is none; `undefined` if another
   * process has it. `taken` runs with the lock, which is released if that throws.
   */
  static take(path: string, taken: () => void): ProcessLock | undefined {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    ensureOwnFile(path);
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec('BEGIN IMMEDIATE');
      taken();
    } catch (error) {
      database.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
    return new ProcessLock(database);
  }

  release(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
