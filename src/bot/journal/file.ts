import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite';
import { MillraceError } from '../../model/errors.ts';
import { ensureOwnFile } from '../../platform/own-file.ts';
import { CORRUPT, damaged, emptied, gone, isSqlite, opened, unwritable } from './file-errors.ts';
import type { JournalForm } from './form.ts';
import { MIGRATIONS } from './migrations.ts';

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** SQL with `?` for each value, or a template that has the values in their places. */
type Sql = string | readonly string[];

/** The journal of an account. Its number is the letters "Mill". */
const ACCOUNT: JournalForm = {
  applicationId: 0x4d_69_6c_6c,
  migrations: MIGRATIONS,
  remedy:
    'put back a copy, or move it away with its state file: the bot then begins a new one and takes what stands at the venue for foreign',
};
/** A lock held longer than this is an error; a bot does not wait in the middle of a trade. */
const BUSY_TIMEOUT_MS = 100;

/** The database file of a journal. */
export class JournalFile {
  readonly path: string;
  /** Commits whose pages are in the log and not in the file yet. */
  commitsInLog = 0;
  /** Whether a commit waits for the disk; see `transaction`. */
  #waits = true;
  /** True while commits wait for the next durable commit to sync them. */
  #isBehind = false;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #form: JournalForm;
  readonly #inode: number;
  readonly #device: number;
  /** True while the file is not at its path. */
  #isGone = false;
  /** True once the file was emptied: later content is not what was written. */
  #isEmptied = false;

  constructor(path: string, database: DatabaseSync, form: JournalForm) {
    this.path = path;
    this.#form = form;
    const { ino, dev } = statSync(path);
    this.#inode = ino;
    this.#device = dev;
    this.#database = database;
  }

  /**
   * Opens the file for reading and writing, creates it if there is none, and migrates one of an older
   * release. Throws `journal-invalid` and `journal-unwritable`.
   */
  static open(path: string, form: JournalForm = ACCOUNT): JournalFile {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      ensureOwnFile(path);
    } catch (error) {
      throw unwritable(path, error);
    }
    const database = opened(path, form, () => new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }));
    try {
      opened(path, form, () => {
        checkSound(path, database, form);
        // A commit is on disk when it returns, except where stated. Checkpoints run between trades.
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
   * Reads the whole file and throws `journal-invalid` if a page is damaged. It takes as long as the file is
   * large, so opening does not do it.
   */
  checkPages(): void {
    const form = this.#form;
    const found = opened(this.path, form, () =>
      this.#database.prepare('PRAGMA integrity_check(1)').get(),
    );
    const text = String(found?.['integrity_check']);
    if (text !== 'ok') throw this.damaged(text);
  }

  /** The error for a damaged part. */
  damaged(found: string): MillraceError {
    return damaged(this.path, this.#form, found);
  }

  /** The first row. Throws `journal-invalid` where what it reads is damaged, as all reads do. */
  get(sql: Sql, ...values: SQLInputValue[]): Row | undefined {
    return this.#read(() => this.#statement(sql).get(...values));
  }

  /** The one number of the first row; 0 where there is none. */
  number(sql: Sql, ...values: SQLInputValue[]): number {
    return Number(Object.values(this.get(sql, ...values) ?? {})[0] ?? 0);
  }

  all(sql: Sql, ...values: SQLInputValue[]): readonly Row[] {
    return this.#read(() => this.#statement(sql).all(...values));
  }

  /** Every row, one at a time. */
  *each(sql: Sql): Generator<Row> {
    const rows = this.#read(() => this.#statement(sql).iterate());
    for (;;) {
      const { done, value } = this.#read(() => rows.next());
      if (done === true) return;
      yield value;
    }
  }

  /** Changes rows, within a transaction, which reports errors; gives how many. */
  run(sql: Sql, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /**
   * Does all of `work` or nothing. A killed process has written it; after a power loss the file has it only
   * if a later commit was synced, and never a later commit without an earlier one. Throws
   * `journal-unwritable` if the disk or the file prevents it.
   */
  transaction(work: () => void): void {
    this.#write(false, () => this.#whole(work));
  }

  /** The same, and it is on the disk when this returns, with all that was committed before. */
  durably(work: () => void): void {
    this.#write(true, () => this.#whole(work));
  }

  /** The same for one statement in its own transaction; returns whether it changed anything. */
  append(statement: () => boolean): boolean {
    return this.#write(true, statement);
  }

  /** Syncs earlier unsynced commits, if there are any. */
  sync(): void {
    if (this.#isBehind) this.touch();
  }

  /** Writes the smallest possible commit, which syncs those before it. */
  touch(): void {
    this.append(() => this.run`UPDATE facts SET value = value WHERE name = 'identity'` !== 0);
  }

  /** Everything that `work` reads is of one moment, whatever is written meanwhile. */
  snapshot<T>(work: () => T): T {
    if (this.#database.isTransaction) return work();
    this.#database.exec('BEGIN');
    try {
      return work();
    } finally {
      this.#rollBack();
    }
  }

  /** Moves pages from the log into the file, as far as readers allow. */
  checkpoint(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
      this.commitsInLog = 0;
    } catch (error) {
      throw isSqlite(error) ? unwritable(this.path, error) : error;
    }
  }

  /**
   * Throws `journal-unwritable`, like each later write, while the file is not at its path, and for ever
   * once it was emptied: the next start would lose what is written into such a file.
   */
  checkPlace(): void {
    const found = statSync(this.path, { throwIfNoEntry: false });
    const isSame = found?.ino === this.#inode && found.dev === this.#device;
    this.#isEmptied ||= isSame && found.size === 0;
    this.#isGone = !isSame || this.#isEmptied;
    if (this.#isGone) throw this.#gone();
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #whole(work: () => void): true {
    this.run('BEGIN IMMEDIATE');
    work();
    this.run('COMMIT');
    return true;
  }

  #read<T>(step: () => T): T {
    return opened(this.path, this.#form, step);
  }

  /** Made once, when it is first run. */
  #statement(sql: Sql): StatementSync {
    const text = typeof sql === 'string' ? sql : sql.join('?');
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  #write(waits: boolean, work: () => boolean): boolean {
    if (this.#isGone) throw this.#gone();
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
      // Done here so that urgent commits do not pay for it.
      if (!waits && !this.#database.isTransaction) this.#wait(true);
    }
  }

  #gone(): MillraceError {
    return this.#isEmptied ? emptied(this.path) : gone(this.path);
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

/** Tables and indexes as the migrations create them, by name. */
const schemas = new WeakMap<JournalForm, ReadonlyMap<string, string>>();

function schemaOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]));
}

/** Throws `journal-invalid` if a table or an index differs from the migrations. */
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

/** Throws `journal-invalid` unless it is a sound journal of this release or an older one. */
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
