import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import type { StoredReturns } from './returns.ts';
import type { Outcome, RunFigures } from './runner.ts';

/** SQLite application id of a sweep store. */
const APPLICATION_ID = 0x4d4c5357;
const FORMAT = 3;

const TABLES = `
  CREATE TABLE part (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE run (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, hash TEXT, strategy TEXT NOT NULL,
    market INTEGER NOT NULL, parameters TEXT NOT NULL, fold INTEGER NOT NULL, part TEXT NOT NULL,
    figures TEXT, returns BLOB, fault TEXT, ms REAL NOT NULL, data TEXT NOT NULL
  ) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};
`;

/** Inputs of all runs of a sweep, by name, as text to compare. */
export type Parts = Readonly<Record<string, string>>;

/** Time range of a run: everything, or a window of a walk-forward. */
export interface RunWindow {
  /** -1 for everything. */
  readonly fold: number;
  readonly part: 'all' | 'train' | 'test';
}

/** A tried set of parameters, in one run. */
export interface TriedSet {
  readonly key: string;
  readonly data: string;
  /** Canonical JSON. */
  readonly parameters: string;
  /** True if the run is over the whole time, not a window. */
  readonly isWhole: boolean;
}

/** A run as it is stored. */
export interface StoredRun {
  readonly key: string;
  readonly strategy: string;
  readonly market: number;
  readonly parameters: string;
  readonly window: RunWindow;
  /** Its data, by the identity of its sweep. */
  readonly data: string;
  readonly outcome: Outcome;
}

/**
 * Runs of a sweep on disk, one row per set of parameters, by the hash of all inputs of the run. One
 * process writes it; each row is durable, so that a crash loses only unfinished runs.
 */
export class SweepStore {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;

  /**
   * Opens a store, or makes one. Throws `sweep-changed` if its runs have other inputs,
   * `sweep-invalid` for another file, and `file-unwritable`.
   */
  constructor(path: string, parts: Parts) {
    this.path = path;
    this.#database = guard(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      return new DatabaseSync(path, { timeout: 5_000 });
    });
    try {
      guard(path, () => {
        this.#prepare(parts);
      });
      this.#insert = this.#database.prepare(
        'INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      );
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Stored outcomes by the keys of their runs, without lost threads. */
  outcomes(): ReadonlyMap<string, Outcome> {
    const rows = this.#database.prepare('SELECT key, figures, returns, fault, ms FROM run').all();
    return new Map(rows.map((row) => [String(row['key']), outcomeOf(row)]));
  }

  /** Stores a run durably. Throws `file-unwritable`. */
  add({ key, strategy, market, parameters, window, data, outcome }: StoredRun): void {
    const { figures, fault, ms } = outcome;
    const { returns, ...plain } = figures ?? {};
    guard(this.path, () => {
      this.#insert.run(
        key,
        fault === undefined ? 'done' : 'failed',
        figures?.hash ?? null,
        strategy,
        market,
        parameters,
        window.fold,
        window.part,
        figures === undefined ? null : JSON.stringify({ ...plain, returns: withoutData(returns) }),
        returns === undefined ? null : Buffer.from(returns.data, 'base64'),
        fault === undefined ? null : JSON.stringify(fault),
        ms,
        data,
      );
    });
  }

  /** Every successful run, of any sweep. */
  tried(): readonly TriedSet[] {
    const rows = this.#database
      .prepare("SELECT key, data, parameters, part FROM run WHERE state = 'done' ORDER BY key")
      .all();
    return rows.map((row) => ({
      key: String(row['key']),
      isWhole: row['part'] === 'all',
      data: String(row['data']),
      parameters: String(row['parameters']),
    }));
  }

  close(): void {
    this.#database.close();
  }

  #prepare(parts: Parts): void {
    const database = this.#database;
    const number = (pragma: string): number =>
      Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0);
    const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get();
    if (Number(tables?.['n']) === 0) {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      database.exec(`BEGIN;${TABLES}`);
      this.#addParts(parts);
      database.exec('COMMIT');
      return;
    }
    if (number('application_id') !== APPLICATION_ID || number('user_version') !== FORMAT) {
      throw new MillraceError(
        'sweep-invalid',
        `${this.path} is not the store of a sweep of this release: give another path.`,
        { where: this.path },
      );
    }
    const rows = database.prepare('SELECT name, value FROM part').all();
    const stored = new Map(rows.map((row) => [String(row['name']), String(row['value'])]));
    const changed = Object.entries(parts).filter(
      ([name, value]) => (stored.get(name) ?? value) !== value,
    );
    const [[first] = []] = changed;
    if (first === undefined) {
      this.#addParts(parts);
      return;
    }
    throw new MillraceError(
      'sweep-changed',
      `The sweep in ${this.path} began with something else: ${first} changed since. Its results do not belong together with new ones: give another path for the store, or remove this one.`,
      { where: this.path, field: first },
    );
  }

  /** Adds inputs that earlier sweeps did not have, and keeps those that a later one omits. */
  #addParts(parts: Parts): void {
    const insert = this.#database.prepare('INSERT OR IGNORE INTO part VALUES (?, ?)');
    for (const [name, value] of Object.entries(parts)) insert.run(name, value);
  }
}

/** The returns are stored in a binary column of their own, a third shorter. */
const withoutData = (returns: StoredReturns | undefined): object | undefined =>
  returns === undefined ? undefined : { ...returns, data: '' };

function figuresIn(text: string, returns: unknown): RunFigures {
  const figures = JSON.parse(text) as RunFigures;
  if (figures.returns === undefined || !(returns instanceof Uint8Array)) return figures;
  const data = Buffer.from(returns).toString('base64');
  return { ...figures, returns: { ...figures.returns, data } };
}

function outcomeOf(row: Readonly<Record<string, unknown>>): Outcome {
  const { figures, returns, fault } = row;
  return {
    ms: Number(row['ms']),
    ...(typeof figures === 'string' ? { figures: figuresIn(figures, returns) } : {}),
    ...(typeof fault === 'string'
      ? { fault: JSON.parse(fault) as NonNullable<Outcome['fault']> }
      : {}),
  };
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof MillraceError) throw cause;
    const isOther = cause instanceof Error && /not a database|malformed/.test(cause.message);
    throw new MillraceError(
      isOther ? 'sweep-invalid' : 'file-unwritable',
      `The results of the sweep could not be kept in ${path} (${messageOf(cause)}). ${isOther ? 'Give another path.' : 'Free some space or choose another path; what is there stays, and the sweep goes on from it.'}`,
      { where: path, cause },
    );
  }
}
