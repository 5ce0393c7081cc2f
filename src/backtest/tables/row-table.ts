import type { FirstRows } from '../result.ts';

/**
 * A table of a result whose rows are made on demand: its first rows as plain data, for
 * `result.json` and the page, and all of them one by one for the table files.
 */
export class RowTable<T> implements FirstRows<T> {
  readonly total: number;
  /** The first rows; made once, on demand. */
  declare readonly rows: readonly T[];
  readonly #rowAt: (index: number) => T;

  constructor(total: number, limit: number, rowAt: (index: number) => T) {
    this.total = total;
    this.#rowAt = rowAt;
    let made: readonly T[] | undefined;
    Object.defineProperty(this, 'rows', {
      enumerable: true,
      get: () => (made ??= Array.from({ length: Math.min(total, limit) }, (_, i) => rowAt(i))),
    });
  }

  /** Every row, made during the iteration. */
  *all(): Iterable<T> {
    for (let index = 0; index < this.total; index += 1) yield this.#rowAt(index);
  }
}

/** Every available row of a table: for plain data, its rows. */
export const everyRow = <T>(table: FirstRows<T>): Iterable<T> =>
  table instanceof RowTable ? (table as RowTable<T>).all() : table.rows;

/** Number of rows of `everyRow`. */
export const rowCount = <T>(table: FirstRows<T>): number =>
  table instanceof RowTable ? table.total : table.rows.length;
