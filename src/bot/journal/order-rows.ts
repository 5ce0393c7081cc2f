import type { StatementSync } from 'node:sqlite';
import { OwnOrder, type Membership } from '../../engine/orders/own-order.ts';
import { decimal } from '../../model/decimal.ts';
import type {
  ContingencyType,
  OrderType,
  Side,
  TimeInForce,
  VenueOrder,
} from '../../model/order.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { TrackedOrder } from '../../strategy/context.ts';
import type { JournalFile } from './file.ts';
import type { InstrumentRows } from './instrument-rows.ts';
import { journaled, type KeptOrder } from './order.ts';
import type { JournaledFill, JournaledOrder } from './records.ts';

/** A row of the table `orders`, as SQLite gives it. */
interface OrderRow {
  readonly client_order_id: string;
  readonly strategy: string;
  readonly instrument: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly time_in_force: TimeInForce;
  readonly wished: number;
  readonly list_id: string | null;
  readonly contingency_type: ContingencyType | null;
  readonly list_index: number | null;
  readonly replaces: string | null;
  readonly intended_at: Micros;
  readonly replaced_by: string | null;
  readonly status: TrackedOrder['status'];
  readonly lots: Lots;
  readonly ticks: Ticks | null;
  readonly stop_ticks: Ticks | null;
  readonly executed_lots: Lots;
  readonly seen_lots: Lots;
  readonly venue_order: string | null;
  readonly refusal: string | null;
  readonly ended_at: Micros | null;
}

interface FillRow {
  readonly client_order_id: string;
  readonly id: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly fee: string;
  readonly fee_currency: string;
  readonly taker: number;
  readonly at: Micros;
}

/** An order as it was read, and the id of the one that took its place. */
interface ReadOrder {
  readonly kept: KeptOrder;
  readonly replacedBy: string | undefined;
}

/** The tables of orders and fills. */
export class OrderRows {
  readonly #instruments: InstrumentRows;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #insertFill: StatementSync;
  readonly #regridFill: StatementSync;
  readonly #order: StatementSync;
  readonly #fillIds: StatementSync;
  readonly #fills: StatementSync;
  readonly #openIds: StatementSync;
  readonly #listIds: StatementSync;
  readonly #strategyIds: StatementSync;

  constructor(file: JournalFile, instruments: InstrumentRows) {
    this.#instruments = instruments;
    this.#insert = file.prepare(
      `INSERT INTO orders VALUES (${Array.from({ length: 22 }, () => '?').join(', ')})`,
    );
    this.#update = file.prepare(
      `UPDATE orders SET instrument = ?, replaced_by = ?, status = ?, lots = ?, ticks = ?,
       stop_ticks = ?, executed_lots = ?, seen_lots = ?, venue_order = ?, refusal = ?, ended_at = ?
       WHERE client_order_id = ?`,
    );
    this.#insertFill = file.prepare('INSERT INTO fills VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#regridFill = file.prepare(
      'UPDATE fills SET ticks = ?, lots = ? WHERE client_order_id = ? AND id = ?',
    );
    this.#order = file.prepare('SELECT * FROM orders WHERE client_order_id = ?');
    this.#fillIds = file.prepare('SELECT id FROM fills WHERE client_order_id = ?');
    this.#fills = file.prepare('SELECT * FROM fills WHERE client_order_id = ? ORDER BY at, id');
    this.#openIds = file.prepare(
      'SELECT client_order_id FROM orders WHERE ended_at IS NULL ORDER BY intended_at',
    );
    this.#listIds = file.prepare(
      'SELECT client_order_id FROM orders WHERE list_id = ? ORDER BY list_index, intended_at',
    );
    this.#strategyIds = file.prepare(
      'SELECT client_order_id FROM orders WHERE strategy = ? ORDER BY intended_at',
    );
  }

  insert(kept: KeptOrder): void {
    const { own, strategy, instrumentId, timeInForce, wished, replaces, intendedAt } = kept;
    const { membership } = own;
    this.#insert.run(
      own.clientOrderId,
      strategy,
      instrumentId,
      own.side,
      own.type,
      timeInForce,
      wished ? 1 : 0,
      membership?.orderListId ?? null,
      membership?.contingencyType ?? null,
      membership?.listIndex ?? null,
      replaces ?? null,
      intendedAt,
      ...changing(kept),
    );
  }

  /** Writes what has changed of an order, and the fills that came. */
  update(kept: KeptOrder): void {
    const { own, instrumentId, unwritten } = kept;
    this.#update.run(instrumentId, ...changing(kept), own.clientOrderId);
    for (const fill of unwritten) {
      const { id, ticks, lots, fee, feeCurrency, taker, at } = fill;
      const { clientOrderId } = own;
      this.#insertFill.run(clientOrderId, id, ticks, lots, fee.toFixed(), feeCurrency, taker ? 1 : 0, at); // prettier-ignore
    }
  }

  /** Counts the fills of an order on a new grid, to the nearest step. */
  regridFills(clientOrderId: string, from: Instrument, to: Instrument): void {
    for (const row of this.#fills.all(clientOrderId) as unknown as FillRow[]) {
      const ticks = to.ticks(from.price(row.ticks), 'near');
      const lots = to.lots(from.size(row.lots), 'near');
      this.#regridFill.run(ticks, lots, clientOrderId, row.id);
    }
  }

  read(clientOrderId: string): ReadOrder | undefined {
    const row = this.#order.get(clientOrderId) as OrderRow | undefined;
    if (row === undefined) return undefined;
    const own = new OwnOrder({
      clientOrderId,
      instrument: this.#instruments.byId(row.instrument),
      side: row.side,
      type: row.type,
      lots: row.lots,
      ticks: row.ticks ?? undefined,
      stopTicks: row.stop_ticks ?? undefined,
      membership: membershipOf(row),
    });
    own.status = row.status;
    own.executedLots = row.executed_lots;
    own.seenLots = row.seen_lots;
    own.venueOrder = fromJson<VenueOrder>(row.venue_order);
    own.refusal = fromJson<Refusal>(row.refusal);
    for (const { id } of this.#fillIds.all(clientOrderId)) own.fillIds.add(Number(id));
    const kept: KeptOrder = {
      own,
      strategy: row.strategy,
      instrumentId: row.instrument,
      timeInForce: row.time_in_force,
      wished: row.wished === 1,
      replaces: row.replaces ?? undefined,
      intendedAt: row.intended_at,
      endedAt: row.ended_at ?? undefined,
      unwritten: [],
    };
    return { kept, replacedBy: row.replaced_by ?? undefined };
  }

  /** An order as it stands in the file. */
  order(clientOrderId: string): JournaledOrder | undefined {
    const read = this.read(clientOrderId);
    if (read === undefined) return undefined;
    return { ...journaled(read.kept), replacedBy: read.replacedBy };
  }

  /** The fills of an order in the file, oldest first. */
  fills(clientOrderId: string): readonly JournaledFill[] {
    const row = this.#order.get(clientOrderId) as OrderRow | undefined;
    if (row === undefined) return [];
    const { symbol } = this.#instruments.byId(row.instrument);
    const { strategy, side } = row;
    return (this.#fills.all(clientOrderId) as unknown as FillRow[]).map((fill) => ({
      ...fillOf(fill, symbol, side),
      strategy,
    }));
  }

  openIds(): readonly string[] {
    return ids(this.#openIds.all());
  }

  /** The orders of a list, those that were replaced too. */
  idsOfList(orderListId: string): readonly string[] {
    return ids(this.#listIds.all(orderListId));
  }

  idsOfStrategy(strategy: string): readonly string[] {
    return ids(this.#strategyIds.all(strategy));
  }
}

const ids = (rows: readonly Record<string, unknown>[]): readonly string[] =>
  rows.map((row) => String(row['client_order_id']));

/** The columns that change, in the order of the table. */
function changing({ own, endedAt }: KeptOrder): (string | number | null)[] {
  return [
    own.replacedBy?.clientOrderId ?? null,
    own.status,
    own.lots,
    own.ticks ?? null,
    own.stopTicks ?? null,
    own.executedLots,
    own.seenLots,
    own.venueOrder === undefined ? null : JSON.stringify(own.venueOrder),
    own.refusal === undefined ? null : JSON.stringify(own.refusal),
    endedAt ?? null,
  ];
}

function membershipOf(row: OrderRow): Membership | undefined {
  const { list_id: orderListId, contingency_type: contingencyType, list_index: listIndex } = row;
  if (orderListId === null || contingencyType === null || listIndex === null) return undefined;
  return { orderListId, contingencyType, listIndex };
}

const fromJson = <T>(text: string | null): T | undefined =>
  text === null ? undefined : (JSON.parse(text) as T);

const fillOf = (row: FillRow, symbol: string, side: Side): Fill => ({
  id: row.id,
  clientOrderId: row.client_order_id,
  symbol,
  side,
  ticks: row.ticks,
  lots: row.lots,
  fee: decimal(row.fee),
  feeCurrency: row.fee_currency,
  taker: row.taker === 1,
  at: row.at,
});
