import { readRow, insertRow, type Column } from './checked-rows.ts';
import type { JournalFile, Row } from './file.ts';

/** How rows of a table become values and values become rows. */
export interface Form<T> {
  readonly table: string;
  /** Identifies a value in the table. */
  readonly key: (value: T) => string;
  readonly read: (row: Row) => T;
  /** In the order of the columns. */
  readonly columns: (value: T) => readonly Column[];
  /** The key column, if rows can be deleted. */
  readonly keyColumn?: string;
}

/** A small table with the latest row of each key: held in memory, written with the next commit. */
export class JournalRows<T> {
  readonly #form: Form<T>;
  readonly #values = new Map<string, T>();
  /** Unwritten changes; `undefined` for a row to delete. */
  readonly #unwritten = new Map<string, T | undefined>();
  readonly #file: JournalFile;

  constructor(file: JournalFile, form: Form<T>) {
    this.#file = file;
    this.#form = form;
    for (const row of file.all(`SELECT * FROM ${form.table}`)) {
      const value = readRow(file, form.table, row, () => form.read(row));
      this.#values.set(form.key(value), value);
    }
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  values(): readonly T[] {
    return [...this.#values.values()];
  }

  set(value: T): void {
    const key = this.#form.key(value);
    this.#values.set(key, value);
    this.#unwritten.set(key, value);
  }

  /** Deletes a row of a table that names its key column. */
  delete(key: string): void {
    if (this.#values.delete(key)) this.#unwritten.set(key, undefined);
  }

  /** Writes what has changed; within a transaction. */
  write(): void {
    for (const [key, value] of this.#unwritten) {
      if (value === undefined) {
        this.#remove(key);
        continue;
      }
      insertRow(this.#file, this.#form.table, this.#form.columns(value), [], 'INSERT OR REPLACE');
    }
  }

  #remove(key: string): void {
    const { table, keyColumn } = this.#form;
    if (keyColumn === undefined) throw new RangeError(`rows of ${table} do not go`);
    this.#file.run(`DELETE FROM ${table} WHERE ${keyColumn} = ?`, key);
  }

  written(): void {
    this.#unwritten.clear();
  }
}
