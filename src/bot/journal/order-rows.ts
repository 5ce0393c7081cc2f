import { OwnOrder, type Membership } from '../../engine/orders/own-order.ts';
import { decimal, type Decimal } from '../../model/decimal.ts';
import type {
  ContingencyType,
  OrderType,
  Side,
  TimeInForce,
  VenueOrder,
} from '../../model/order.ts';
import type { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { TrackedOrder } from '../../strategy/context.ts';
import { amountOf, readRow, whole, withChecksum, type Column } from './checked-rows.ts';
import type { JournalFile } from './file.ts';
import type { Row, Statement } from './statement.ts';
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
  /** Null in a row of an older release. */
  readonly fill_count: number | null;
  readonly take_rate: string | null;
  readonly make_rate: string | null;
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

/** An order, and the terms on whose grid its ticks and lots are. */
export interface GriddedOrder {
  readonly order: JournaledOrder;
  readonly instrument: Instrument;
}

/** A place in the sequence of orders as they ended. */
export interface Place {
  readonly endedAt: Micros;
  readonly clientOrderId: string;
}

/** The tables of orders and fills. */
export class OrderRows {
  readonly #file: JournalFile;
  readonly #instruments: InstrumentRows;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #insertFill: Statement;
  readonly #regridFill: Statement;
  readonly #order: Statement;
  readonly #fillIds: Statement;
  readonly #fills: Statement;
  readonly #openIds: Statement;
  readonly #listIds: Statement;
  readonly #openIdsOf: Statement;
  readonly #endedIdsOf: Statement;
  readonly #open: Statement;
  readonly #ended: Statement;
  readonly #lastEnded: Statement;
  readonly #endedCount: Statement;
  readonly #lastEndedAt: Statement;

  constructor(file: JournalFile, instruments: InstrumentRows) {
    this.#file = file;
    this.#instruments = instruments;
    this.#insert = file.prepare(
      `INSERT INTO orders VALUES (${Array.from({ length: 26 }, () => '?').join(', ')})`,
    );
    this.#update = file.prepare(
      `UPDATE orders SET instrument = ?, replaced_by = ?, status = ?, lots = ?, ticks = ?,
       stop_ticks = ?, executed_lots = ?, seen_lots = ?, venue_order = ?, refusal = ?, ended_at = ?,
       fill_count = ?, checksum = ? WHERE client_order_id = ?`,
    );
    this.#insertFill = file.prepare('INSERT INTO fills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#regridFill = file.prepare(
      'UPDATE fills SET ticks = ?, lots = ?, checksum = ? WHERE client_order_id = ? AND id = ?',
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
    // The index of open orders leads to the few of them, whatever else is kept.
    this.#openIdsOf = file.prepare(
      `SELECT client_order_id FROM orders INDEXED BY orders_open
       WHERE ended_at IS NULL AND strategy = ? ORDER BY intended_at`,
    );
    this.#endedIdsOf = file.prepare(
      `SELECT client_order_id FROM orders INDEXED BY orders_strategy
       WHERE strategy = ? AND ended_at IS NOT NULL ORDER BY intended_at DESC LIMIT ?`,
    );
    this.#open = file.prepare(
      'SELECT * FROM orders WHERE ended_at IS NULL ORDER BY intended_at, client_order_id',
    );
    this.#ended = file.prepare(
      `SELECT * FROM orders WHERE (ended_at, client_order_id) > (?, ?) AND ended_at <= ?
       ORDER BY ended_at, client_order_id LIMIT ?`,
    );
    this.#lastEnded = file.prepare(
      `SELECT * FROM orders WHERE ended_at >= ?
       ORDER BY ended_at DESC, client_order_id DESC LIMIT ?`,
    );
    this.#endedCount = file.prepare('SELECT count(*) AS count FROM orders WHERE ended_at >= ?');
    this.#lastEndedAt = file.prepare(
      'SELECT max(ended_at) AS at FROM orders WHERE ended_at IS NOT NULL',
    );
  }

  insert(kept: KeptOrder): void {
    this.#insert.run(...withChecksum('orders', [...fixed(kept), ...changing(kept)], ratesOf(kept)));
  }

  /** Writes what has changed of an order, and the fills that came. */
  update(kept: KeptOrder): void {
    const { own, instrumentId, unwritten } = kept;
    const values = changing(kept);
    const all = [...fixed(kept), ...values];
    const checksum = withChecksum('orders', all, ratesOf(kept))[all.length];
    this.#update.run(instrumentId, ...values, checksum, own.clientOrderId);
    for (const fill of unwritten) {
      const { id, ticks, lots, fee, feeCurrency, taker, at } = fill;
      const columns = [own.clientOrderId, id, ticks, lots, fee.toFixed(), feeCurrency, taker ? 1 : 0, at]; // prettier-ignore
      this.#insertFill.run(...withChecksum('fills', columns));
    }
  }

  /** Counts the fills of an order on a new grid, to the nearest step. */
  regridFills(clientOrderId: string, from: Instrument, to: Instrument): void {
    for (const row of this.#fillRows(clientOrderId)) {
      const ticks = to.ticks(from.price(row.ticks), 'near');
      const lots = to.lots(from.size(row.lots), 'near');
      const { id, fee, fee_currency: feeCurrency, taker, at } = row;
      const columns = [clientOrderId, id, ticks, lots, fee, feeCurrency, taker, at];
      const checksum = withChecksum('fills', columns).at(-1) ?? null;
      this.#regridFill.run(ticks, lots, checksum, clientOrderId, id);
    }
  }

  read(clientOrderId: string): ReadOrder | undefined {
    const row = this.#order.get(clientOrderId);
    return row === undefined ? undefined : this.#read(row);
  }

  #read(row: Row): ReadOrder {
    return readRow(this.#file, 'orders', row, () => this.#readOrder(row as unknown as OrderRow));
  }

  #readOrder(row: OrderRow): ReadOrder {
    checkNumbers(row);
    const clientOrderId = row.client_order_id;
    const own = new OwnOrder({
      clientOrderId,
      instrument: this.#instruments.byId(row.instrument),
      side: row.side,
      type: row.type,
      lots: row.lots,
      ticks: row.ticks ?? undefined,
      stopTicks: row.stop_ticks ?? undefined,
      membership: membershipOf(row),
      takeRate: rateOf('take_rate', row.take_rate),
      makeRate: rateOf('make_rate', row.make_rate),
    });
    own.status = row.status;
    own.executedLots = row.executed_lots;
    own.seenLots = row.seen_lots;
    own.venueOrder = fromJson<VenueOrder>(row.venue_order);
    own.refusal = fromJson<Refusal>(row.refusal);
    for (const { id } of this.#fillIds.all(clientOrderId)) own.fillIds.add(Number(id));
    const { size } = own.fillIds;
    if (row.fill_count !== null && row.fill_count !== size) {
      throw new RangeError(`it has ${row.fill_count} fills, of which ${size} are there`);
    }
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
    return read === undefined ? undefined : gridded(read).order;
  }

  /** The open orders, as they were intended. */
  open(): readonly GriddedOrder[] {
    return this.#gridded(this.#open.all());
  }

  /** Those that ended after `after` and not after `until`, as they ended; at most `most`. */
  ended(after: Place, until: Micros, most: number): readonly GriddedOrder[] {
    return this.#gridded(this.#ended.all(after.endedAt, after.clientOrderId, until, most));
  }

  /** The last that ended since a time, as they ended; at most `most`. */
  lastEnded(since: Micros, most: number): readonly GriddedOrder[] {
    return this.#gridded(this.#lastEnded.all(since, most)).toReversed();
  }

  /** When the last one ended; 0 where none has. */
  lastEndedAt(): Micros {
    return micros(Number(this.#lastEndedAt.get()?.['at'] ?? 0));
  }

  /** How many ended since a time. */
  endedCount(since: Micros): number {
    return Number(this.#endedCount.get(since)?.['count']);
  }

  #gridded(rows: readonly Row[]): readonly GriddedOrder[] {
    return rows.map((row) => gridded(this.#read(row)));
  }

  /** The fills of an order in the file, oldest first. */
  fills(clientOrderId: string): readonly JournaledFill[] {
    const read = this.read(clientOrderId);
    if (read === undefined) return [];
    const { strategy, own } = read.kept;
    return this.#fillRows(clientOrderId).map((fill) => ({
      ...fillOf(fill, own.symbol, own.side),
      strategy,
    }));
  }

  #fillRows(clientOrderId: string): readonly FillRow[] {
    return this.#fills.all(clientOrderId).map((row) =>
      readRow(this.#file, 'fills', row, () => {
        const fill = row as unknown as FillRow;
        whole('lots', fill.lots, 1);
        whole('ticks', fill.ticks, 0);
        amountOf('fee', fill.fee);
        return fill;
      }),
    );
  }

  /** The error of an order that an index of the file names and no table has. */
  missing(clientOrderId: string): MillraceError {
    return this.#file.damaged(
      `an index names the row "${clientOrderId}" of the table orders, which is not there`,
    );
  }

  openIds(): readonly string[] {
    return ids(this.#openIds.all());
  }

  /** The orders of a list, those that were replaced too. */
  idsOfList(orderListId: string): readonly string[] {
    return ids(this.#listIds.all(orderListId));
  }

  /** The open orders of a strategy, oldest first. */
  openIdsOf(strategy: string): readonly string[] {
    return ids(this.#openIdsOf.all(strategy));
  }

  /** Those of its ended orders that were intended last, oldest first. */
  endedIdsOf(strategy: string, most: number): readonly string[] {
    return ids(this.#endedIdsOf.all(strategy, most)).toReversed();
  }
}

const gridded = ({ kept, replacedBy }: ReadOrder): GriddedOrder => ({
  order: { ...journaled(kept), replacedBy },
  instrument: kept.own.instrument,
});

const ids = (rows: readonly Record<string, unknown>[]): readonly string[] =>
  rows.map((row) => String(row['client_order_id']));

/** The columns before those that change, in the order of the table. */
function fixed(kept: KeptOrder): Column[] {
  const { own, strategy, instrumentId, timeInForce, wished, replaces, intendedAt } = kept;
  const { membership } = own;
  return [
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
  ];
}

/** The columns behind the checksum: fee rates that the order asked for itself, which never change. */
const ratesOf = ({ own: { takeRate, makeRate } }: KeptOrder): Column[] => [
  takeRate?.toFixed() ?? null,
  makeRate?.toFixed() ?? null,
];

const rateOf = (column: string, text: string | null): Decimal | undefined =>
  text === null ? undefined : amountOf(column, text);

/** Throws a RangeError for numbers that no order has. */
function checkNumbers(row: OrderRow): void {
  whole('lots', row.lots, 1);
  whole('executed_lots', row.executed_lots, 0);
  whole('seen_lots', row.seen_lots, 0);
  whole('ticks', row.ticks ?? 0, 0);
  whole('stop_ticks', row.stop_ticks ?? 0, 0);
}

/** The columns that change, in the order of the table. */
function changing({ own, endedAt }: KeptOrder): Column[] {
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
    own.fillIds.size,
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
