import type { OrderRow } from '../result.ts';
import { RowTable } from './row-table.ts';

/** The orders of a run. */
export class OrderTable extends RowTable<OrderRow> {
  readonly #listed: readonly number[];
  readonly #orderAt: (index: number) => OrderRow;

  constructor(
    total: number,
    limit: number,
    rowAt: (index: number) => OrderRow,
    listed: Iterable<number>,
  ) {
    super(total, limit, rowAt);
    this.#orderAt = rowAt;
    this.#listed = [...listed];
  }

  /** Orders that belong to a list. */
  *listed(): Iterable<OrderRow> {
    for (const index of this.#listed) yield this.#orderAt(index);
  }
}
