import type { FirstRows } from '../result.ts';

/**
 * A table of a result whose rows are made when they are asked for: its first rows as plain data, as
 * `result.json` and the page have them, and all of them one by one for the files beside.
 */
export class RowTable<T> implements FirstRows<T> {
  readonly total: number;
  /** The first rows; made once, when they are asked for. */
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

  /** Every row, made as it is asked for and kept by nobody. */
  *all(): Iterable<T> {
    for (let index = 0; index < this.total; index += 1) yield this.#rowAt(index);
  }
}

/** Every row of a table that is there: of one that came as plain data, those that came. */
export const everyRow = <T>(table: FirstRows<T>): Iterable<T> =>
  table instanceof RowTable ? (table as RowTable<T>).all() : table.rows;

/** How many rows `everyRow` gives. */
export const rowCount = <T>(table: FirstRows<T>): number =>
  table instanceof RowTable ? table.total : table.rows.length;
