import { JournalFile } from './file.ts';
import type { ProcessLock } from '../../platform/process-lock.ts';
import { takeAccountLock } from './lock.ts';
import type { JournalOptions } from './options.ts';
import { statePath } from './path.ts';
import { checkThere } from './provenance.ts';
import { StateFile } from './state-file.ts';

/** The open files of a journal: the database, the state file beside it, and the lock of both. */
export class JournalFiles {
  readonly path: string;
  readonly database: JournalFile;
  readonly state: StateFile;
  readonly #lock: ProcessLock;

  private constructor(lock: ProcessLock, state: StateFile, database: JournalFile) {
    this.path = database.path;
    this.database = database;
    this.state = state;
    this.#lock = lock;
  }

  /** Throws `journal-locked`, `journal-invalid`, `journal-unconfirmed` and `journal-unwritable`, with nothing left open. */
  static open(
    path: string,
    { account, scheduler, holder = account }: JournalOptions,
  ): JournalFiles {
    const lock = takeAccountLock(path.replace(/\.sqlite$/, ''), {
      pid: process.pid,
      name: holder,
      startedAt: scheduler.now(),
    });
    let state: StateFile | undefined;
    try {
      state = StateFile.open(statePath(path));
      checkThere(path, state);
      return new JournalFiles(lock, state, JournalFile.open(path));
    } catch (error) {
      state?.close();
      lock.release();
      throw error;
    }
  }

  close(): void {
    this.database.close();
    this.state.close();
    this.#lock.release();
  }
}
