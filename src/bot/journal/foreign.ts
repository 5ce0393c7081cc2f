import type { Side } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import { insertRow, readRow } from './checked-rows.ts';
import type { JournalFile, Row } from './file.ts';
import { checkedFill, fillOf } from './order-rows.ts';
import { foreignKey, type JournaledAccount } from './records.ts';

/** Foreign orders and fills of the account, remembered so that each is reported once. */
export class Foreign {
  readonly #file: JournalFile;
  readonly #fills = new Map<string, Fill>();
  readonly #orders = new Map<string, { readonly symbol: string; readonly at: Micros }>();
  /** Client order ids whose fills now belong to the bot. */
  readonly #adopted = new Set<string>();

  constructor(file: JournalFile) {
    this.#file = file;
  }

  knowsFill(fill: Fill): boolean {
    if (this.#fills.has(foreignKey(fill))) return true;
    const { clientOrderId, symbol, id } = fill;
    const found = this.#file.get`SELECT 1 FROM foreign_fills
      WHERE client_order_id = ${clientOrderId} AND symbol = ${symbol} AND id = ${id}`;
    return found !== undefined;
  }

  knowsOrder(clientOrderId: string): boolean {
    if (this.#orders.has(clientOrderId)) return true;
    const found = this.#file.get`SELECT 1 FROM foreign_orders WHERE client_order_id = ${clientOrderId}`; // prettier-ignore
    return found !== undefined;
  }

  /** Those of reported orders and fills. */
  among(
    clientOrderIds: ReadonlySet<string>,
    fills: readonly Fill[],
  ): Pick<JournaledAccount, 'foreignFills' | 'foreignOrders'> {
    return {
      foreignFills: new Set(fills.filter((one) => this.knowsFill(one)).map(foreignKey)),
      foreignOrders: new Set([...clientOrderIds].filter((id) => this.knowsOrder(id))),
    };
  }

  /** Stores a fill; returns false if it is known. */
  keepFill(fill: Fill): boolean {
    if (this.knowsFill(fill)) return false;
    this.#fills.set(foreignKey(fill), fill);
    return true;
  }

  keepOrder(clientOrderId: string, symbol: string, at: Micros): void {
    if (!this.knowsOrder(clientOrderId)) this.#orders.set(clientOrderId, { symbol, at });
  }

  /** Hands over the fills of an order that is ours from now on, oldest first. */
  take(clientOrderId: string): readonly Fill[] {
    const isOf = (fill: Fill): boolean => fill.clientOrderId === clientOrderId;
    const rows = this.#file.all`SELECT * FROM foreign_fills WHERE client_order_id = ${clientOrderId} ORDER BY at, id`; // prettier-ignore
    const fills = [
      ...rows.map((row) => readRow(this.#file, 'foreign_fills', row, () => foreignFill(row))),
      ...[...this.#fills.values()].filter(isOf),
    ];
    for (const fill of fills) this.#fills.delete(foreignKey(fill));
    this.#adopted.add(clientOrderId);
    return fills;
  }

  write(): void {
    for (const id of this.#adopted)
      this.#file.run('DELETE FROM foreign_fills WHERE client_order_id = ?', id);
    for (const fill of this.#fills.values()) {
      const { clientOrderId, symbol, id, side, ticks, lots, fee, feeCurrency, taker, at } = fill;
      const amounts = [fee.toFixed(), feeCurrency, taker ? 1 : 0, at];
      const columns = [clientOrderId, symbol, id, side, ticks, lots, ...amounts];
      insertRow(this.#file, 'foreign_fills', columns, [fill.margin ?? null], 'INSERT OR IGNORE');
    }
    for (const [id, { symbol, at }] of this.#orders) {
      insertRow(this.#file, 'foreign_orders', [id, symbol, at], [], 'INSERT OR IGNORE');
    }
  }

  written(): void {
    this.#fills.clear();
    this.#orders.clear();
    this.#adopted.clear();
  }
}

const foreignFill = (row: Row): Fill =>
  fillOf(checkedFill(row), String(row['symbol']), row['side'] as Side);
