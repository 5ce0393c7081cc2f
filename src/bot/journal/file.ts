import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementResultingChanges,
  type StatementSync,
} from 'node:sqlite';
import { MillraceError } from '../../model/errors.ts';
import { MIGRATIONS } from './migrations.ts';

/** What a kind of journal is made of. Each has a table `facts` with a row `identity`. */
export interface JournalForm {
  /** Stands in the head of the file and tells a journal from other databases. */
  readonly applicationId: number;
  readonly migrations: readonly string[];
  /** What to do where the file is damaged: the end of a sentence. */
  readonly remedy: string;
}

/** The journal of an account. Its number is the letters "Mill". */
const ACCOUNT: JournalForm = {
  applicationId: 0x4d_69_6c_6c,
  migrations: MIGRATIONS,
  remedy:
    'put back a copy, or move it away, and the bot begins a new one and takes what stands at the venue for foreign',
};
/** Who holds the file for longer than this is told of; a bot does not wait in the middle of a trade. */
const BUSY_TIMEOUT_MS = 100;

/** Codes of SQLite that say what a person can do; the rest are shown in SQLite's own words. */
const CAUSES: ReadonlyMap<number, string> = new Map([
  [5, 'another program holds it; end that program'],
  [8, 'it may not be written; look at the rights of the file and its folder'],
  [13, 'the disk is full; free some space'],
]);
/** The file is damaged, or no database; or its schema is not what the sources made it. */
const CORRUPT: ReadonlySet<number> = new Set([11, 26]);
const DAMAGED: ReadonlySet<number> = new Set([1, ...CORRUPT]);

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

type Guard = <T>(step: () => T) => T;

/** A statement of a journal: what it reads of a damaged file is told of in our words. */
export class Statement {
  readonly #guard: Guard;
  readonly #statement: StatementSync;

  constructor(guard: Guard, prepared: () => StatementSync) {
    this.#guard = guard;
    this.#statement = guard(prepared);
  }

  /** The first row. */
  get(...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.#statement.get(...values));
  }

  /** Every row. */
  all(...values: SQLInputValue[]): readonly Row[] {
    return this.#guard(() => this.#statement.all(...values));
  }

  /** Every row, one at a time. */
  *each(): Generator<Row> {
    const rows = this.#guard(() => this.#statement.iterate());
    for (;;) {
      const { done, value } = this.#guard(() => rows.next());
      if (done === true) return;
      yield value;
    }
  }

  /** Changes rows, within a transaction, which tells what is wrong. */
  run(...values: SQLInputValue[]): StatementResultingChanges {
    return this.#statement.run(...values);
  }
}

/** The database file of a journal. */
export class JournalFile {
  readonly path: string;
  /** Commits whose pages are in the log and not in the file yet. */
  commitsInLog = 0;
  /** Whether a commit waits for the disk; see `transaction`. */
  #waits = true;
  /** True while there are commits that the next one which waits brings to the disk with it. */
  #isBehind = false;
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #touch: StatementSync;

  readonly #form: JournalForm;

  constructor(path: string, database: DatabaseSync, form: JournalForm) {
    this.path = path;
    this.#form = form;
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#touch = database.prepare("UPDATE facts SET value = value WHERE name = 'identity'");
  }

  /**
   * Opens the file for reading and writing, makes it where it is not there yet, and brings one of
   * an older release to the present form. Throws `journal-invalid` and `journal-unwritable`.
   */
  static open(path: string, form: JournalForm = ACCOUNT): JournalFile {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw unwritable(path, error);
    }
    const database = opened(path, form, () => new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }));
    try {
      opened(path, form, () => {
        checkSound(path, database, form);
        // A commit is on the disk when it returns, but for those that say otherwise. Checkpoints
        // are made between trades.
        database.exec(
          'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864',
        );
        migrate(database, form);
        checkSchema(path, database, form);
      });
      return new JournalFile(path, database, form);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Opens the file to be read, while its process may write it. Throws `file-missing` and
   * `journal-invalid`.
   */
  static read(path: string, form: JournalForm = ACCOUNT): JournalFile {
    if (!existsSync(path)) {
      throw new MillraceError(
        'file-missing',
        `There is no journal ${path}; it is made by the first run of its bot.`,
        { where: path },
      );
    }
    const database = opened(
      path,
      form,
      () => new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS }),
    );
    try {
      opened(path, form, () => {
        checkKind(path, database, form);
        const version = pragma(database, 'user_version');
        if (version === form.migrations.length) {
          checkSchema(path, database, form);
          return;
        }
        throw new MillraceError(
          'journal-invalid',
          `The journal ${path} is of version ${version} and this release reads ${form.migrations.length}; start its bot once, which brings it there.`,
          { where: path },
        );
      });
      return new JournalFile(path, database, form);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Reads the whole file and throws `journal-invalid` where a page of it is damaged. It takes as
   * long as the file is large, so opening does not do it.
   */
  checkPages(): void {
    const form = this.#form;
    const found = opened(this.path, form, () =>
      this.#database.prepare('PRAGMA integrity_check(1)').get(),
    );
    const text = String(found?.['integrity_check']);
    if (text !== 'ok') throw this.damaged(text);
  }

  /** The error that says what is damaged. */
  damaged(found: string): MillraceError {
    return damaged(this.path, this.#form, found);
  }

  /** Throws `journal-invalid` where what it takes for that is damaged; so does each read by it. */
  prepare(sql: string): Statement {
    const guard: Guard = (step) => opened(this.path, this.#form, step);
    return new Statement(guard, () => this.#database.prepare(sql));
  }

  /**
   * Does all of `work` or nothing of it. The file of a process that is killed has it from then on;
   * one of a machine that loses power has it once a later commit waited for the disk, and of
   * several commits never a later one without the earlier ones. Throws `journal-unwritable` where
   * the disk or the file does not let it.
   */
  transaction(work: () => void): void {
    this.#write(false, () => {
      this.#begin.run();
      work();
      this.#commit.run();
      return true;
    });
  }

  /** The same, and it is on the disk when this returns, with all that was committed before. */
  durably(work: () => void): void {
    this.#write(true, () => {
      this.#begin.run();
      work();
      this.#commit.run();
      return true;
    });
  }

  /** The same for one statement, which is a transaction of its own; it tells whether it changes anything. */
  append(statement: () => boolean): boolean {
    return this.#write(true, statement);
  }

  /** Brings to the disk what was committed without waiting for it, if anything was. */
  sync(): void {
    // The smallest commit there is takes along those before it.
    if (this.#isBehind) this.append(() => this.#touch.run().changes !== 0);
  }

  /** All that `work` reads is as it stood at one moment, whoever writes meanwhile. */
  snapshot<T>(work: () => T): T {
    if (this.#database.isTransaction) return work();
    this.#database.exec('BEGIN');
    try {
      return work();
    } finally {
      this.#rollBack();
    }
  }

  /** Moves what was written from the log of the last commits into the file, as far as readers let it. */
  checkpoint(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
      this.commitsInLog = 0;
    } catch (error) {
      throw isSqlite(error) ? unwritable(this.path, error) : error;
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #write(waits: boolean, work: () => boolean): boolean {
    try {
      this.#wait(waits);
      const isChange = work();
      if (isChange) {
        this.commitsInLog += 1;
        this.#isBehind = !waits;
      }
      return isChange;
    } catch (error) {
      this.#rollBack();
      if (!isSqlite(error)) throw error;
      if (CORRUPT.has(error.errcode & 0xff)) throw this.damaged(error.message);
      throw unwritable(this.path, error);
    } finally {
      // Here, so that what is in a hurry does not pay for it.
      if (!waits && !this.#database.isTransaction) this.#wait(true);
    }
  }

  #wait(waits: boolean): void {
    if (waits === this.#waits) return;
    this.#database.exec(`PRAGMA synchronous = ${waits ? 'FULL' : 'NORMAL'}`);
    this.#waits = waits;
  }

  #rollBack(): void {
    // After some errors SQLite has rolled back by itself.
    if (!this.#database.isTransaction) return;
    this.#database.exec('ROLLBACK');
  }
}

function migrate(database: DatabaseSync, { applicationId, migrations }: JournalForm): void {
  for (let version = pragma(database, 'user_version'); version < migrations.length; version += 1) {
    database.exec(
      `BEGIN IMMEDIATE; ${migrations[version]}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}; COMMIT`,
    );
  }
}

/** Tables and indexes as the steps make them, by name. */
const schemas = new WeakMap<JournalForm, ReadonlyMap<string, string>>();

function schemaOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]));
}

/** Throws `journal-invalid` where a table or an index is not what the steps make. */
function checkSchema(path: string, database: DatabaseSync, form: JournalForm): void {
  let made = schemas.get(form);
  if (made === undefined) {
    const empty = new DatabaseSync(':memory:');
    migrate(empty, form);
    made = schemaOf(empty);
    empty.close();
    schemas.set(form, made);
  }
  const found = schemaOf(database);
  for (const [name, sql] of made) {
    if (found.get(name) !== sql) throw damaged(path, form, `"${name}" is not as it was made`);
  }
}

/** Throws `journal-invalid` for what is no sound journal of this release or an older one. */
function checkSound(path: string, database: DatabaseSync, form: JournalForm): void {
  checkKind(path, database, form);
  const version = pragma(database, 'user_version');
  if (version > form.migrations.length) {
    throw new MillraceError(
      'journal-invalid',
      `The journal ${path} is of version ${version} and this release knows ${form.migrations.length}; run the newer release that wrote it.`,
      { where: path },
    );
  }
}

function checkKind(path: string, database: DatabaseSync, { applicationId }: JournalForm): void {
  const application = pragma(database, 'application_id');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (application === applicationId || (isEmpty && application === 0)) return;
  throw new MillraceError(
    'journal-invalid',
    `${path} is a database of another program and no journal; name another file.`,
    { where: path },
  );
}

const pragma = (database: DatabaseSync, name: string): number =>
  Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);

/** Runs a step of opening and says in our words why it failed. */
function opened<T>(path: string, form: JournalForm, step: () => T): T {
  try {
    return step();
  } catch (error) {
    // A number beyond 2^53 is none that was ever written.
    if (isOutOfRange(error)) throw damaged(path, form, error.message);
    if (!isSqlite(error)) throw error;
    const code = error.errcode & 0xff;
    if (DAMAGED.has(code)) throw damaged(path, form, error.message);
    throw unwritable(path, error);
  }
}

const damaged = (path: string, { remedy }: JournalForm, found: string): MillraceError =>
  new MillraceError('journal-invalid', `The journal ${path} is damaged (${found}); ${remedy}.`, {
    where: path,
  });

function unwritable(path: string, error: unknown): MillraceError {
  const known = isSqlite(error) ? CAUSES.get(error.errcode & 0xff) : undefined;
  const why = known ?? (error instanceof Error ? error.message : String(error));
  return new MillraceError(
    'journal-unwritable',
    `The journal ${path} cannot be written: ${why}. Nothing is sent until it can be.`,
    { where: path, cause: error },
  );
}

const isOutOfRange = (error: unknown): error is Error =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';

const isSqlite = (error: unknown): error is Error & { readonly errcode: number } =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
