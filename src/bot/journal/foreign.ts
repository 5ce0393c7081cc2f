import { Amount } from '../../model/amount.ts';
import { decimal } from '../../model/decimal.ts';
import type { Side } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { modeOf, readRow, whole, withChecksum } from './checked-rows.ts';
import type { JournalFile } from './file.ts';
import type { Statement } from './statement.ts';
import { foreignKey, type JournaledAccount } from './records.ts';
import type { Row } from './statement.ts';

/** Foreign orders and fills of the account, remembered so that each is reported once. */
export class Foreign {
  readonly #file: JournalFile;
  readonly #insertFill: Statement;
  readonly #deleteFills: Statement;
  readonly #fill: Statement;
  readonly #fillsOf: Statement;
  readonly #insertOrder: Statement;
  readonly #order: Statement;
  readonly #fills = new Map<string, Fill>();
  readonly #orders = new Map<string, { readonly symbol: string; readonly at: Micros }>();
  /** Client order ids whose fills now belong to the bot. */
  readonly #adopted = new Set<string>();

  constructor(file: JournalFile) {
    this.#file = file;
    this.#insertFill = file.prepare(
      'INSERT OR IGNORE INTO foreign_fills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#deleteFills = file.prepare('DELETE FROM foreign_fills WHERE client_order_id = ?');
    this.#fill = file.prepare(
      'SELECT 1 FROM foreign_fills WHERE client_order_id = ? AND symbol = ? AND id = ?',
    );
    this.#fillsOf = file.prepare(
      'SELECT * FROM foreign_fills WHERE client_order_id = ? ORDER BY at, id',
    );
    this.#insertOrder = file.prepare('INSERT OR IGNORE INTO foreign_orders VALUES (?, ?, ?, ?)');
    this.#order = file.prepare('SELECT 1 FROM foreign_orders WHERE client_order_id = ?');
  }

  get isWritten(): boolean {
    return this.#fills.size + this.#orders.size + this.#adopted.size === 0;
  }

  knowsFill(fill: Fill): boolean {
    if (this.#fills.has(foreignKey(fill))) return true;
    return this.#fill.get(fill.clientOrderId, fill.symbol, fill.id) !== undefined;
  }

  knowsOrder(clientOrderId: string): boolean {
    return this.#orders.has(clientOrderId) || this.#order.get(clientOrderId) !== undefined;
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
    const fills = [
      ...this.#fillsOf
        .all(clientOrderId)
        .map((row) => readRow(this.#file, 'foreign_fills', row, () => fillOf(row))),
      ...[...this.#fills.values()].filter(isOf),
    ];
    for (const fill of fills) this.#fills.delete(foreignKey(fill));
    this.#adopted.add(clientOrderId);
    return fills;
  }

  write(): void {
    for (const id of this.#adopted) this.#deleteFills.run(id);
    for (const fill of this.#fills.values()) {
      const { clientOrderId, symbol, id, side, ticks, lots, fee, feeCurrency, taker, at } = fill;
      const amounts = [fee.toFixed(), feeCurrency, taker ? 1 : 0, at];
      const columns = [clientOrderId, symbol, id, side, ticks, lots, ...amounts];
      this.#insertFill.run(...withChecksum('foreign_fills', columns, [fill.margin ?? null]));
    }
    for (const [id, { symbol, at }] of this.#orders) {
      this.#insertOrder.run(...withChecksum('foreign_orders', [id, symbol, at]));
    }
  }

  written(): void {
    this.#fills.clear();
    this.#orders.clear();
    this.#adopted.clear();
  }
}

const fillOf = (row: Row): Fill => ({
  id: Number(row['id']),
  clientOrderId: String(row['client_order_id']),
  symbol: String(row['symbol']),
  side: row['side'] as Side,
  ticks: whole('ticks', row['ticks'], 0) as Ticks,
  lots: whole('lots', row['lots'], 1) as Lots,
  fee: Amount.of(decimal(String(row['fee']))),
  feeCurrency: String(row['fee_currency']),
  taker: row['taker'] === 1,
  at: micros(Number(row['at'])),
  ...(row['margin'] === null ? {} : { margin: modeOf(row['margin']) }),
});
