import { Amount } from '../../model/amount.ts';
import { decimal, type Decimal } from '../../model/decimal.ts';
import {
  isOpen,
  type ContingencyType,
  type Order,
  type OrderType,
  type Side,
  type TimeInForce,
  type VenueOrder,
} from '../../model/order.ts';
import { pendingOrder } from '../../model/order-reducer.ts';
import type { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode, OrderMargin } from '../../model/margin-terms.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { micros, type Micros } from '../../platform/time.ts';
import {
  amountOf,
  modeOf,
  readRow,
  whole,
  insertRow,
  withChecksum,
  type Column,
} from './checked-rows.ts';
import { readStored } from './stored-json.ts';
import type { JournalFile, Row } from './file.ts';
import type { InstrumentRows } from './instrument-rows.ts';
import type { StoredOrder } from './order.ts';
import type { JournaledFill } from './records.ts';

/** A row of the table `orders`, as SQLite returns it. */
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
  readonly status: Order['status'];
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
  readonly margin: MarginMode | null;
  readonly reduce_only: number | null;
  readonly close_position: number | null;
  /** Null in a row of an older release, as is `expire_at`: there the venue's report has both. */
  readonly post_only: number | null;
  readonly expire_at: Micros | null;
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
  readonly margin: MarginMode | null;
}

/** An order, and the terms on whose grid its ticks and lots are. */
export interface GriddedOrder {
  readonly order: Order;
  readonly instrument: Instrument;
}

/** A position in the sequence of ended orders. */
export interface HistoryCursor {
  readonly endedAt: Micros;
  readonly clientOrderId: string;
}

/** The tables of orders and fills. */
export class OrderRows {
  readonly #file: JournalFile;
  readonly #instruments: InstrumentRows;

  constructor(file: JournalFile, instruments: InstrumentRows) {
    this.#file = file;
    this.#instruments = instruments;
  }

  /** True while no order was ever written, or all are gone. */
  get isEmpty(): boolean {
    return this.#file.get`SELECT 1 FROM orders LIMIT 1` === undefined;
  }

  /** The ids of all orders, a few at a time in memory. */
  *ids(): Generator<string> {
    const rows = this.#file.each`SELECT client_order_id FROM orders ORDER BY client_order_id`;
    for (const row of rows) yield String(row['client_order_id']);
  }

  insert(kept: StoredOrder): void {
    insertRow(this.#file, 'orders', [...fixed(kept), ...changing(kept.order)], laterOf(kept));
  }

  /** Writes the changes of an order and its new fills. */
  update(kept: StoredOrder): void {
    const { order, instrumentId, unwritten } = kept;
    const values = changing(order);
    const all = [...fixed(kept), ...values];
    // A row of an older release gets the later columns, which its checksum includes from now on.
    const later = withChecksum('orders', all, laterOf(kept)).slice(all.length);
    this.#file.run(
      `UPDATE orders SET instrument = ?, replaced_by = ?, status = ?, lots = ?, ticks = ?,
       stop_ticks = ?, executed_lots = ?, seen_lots = ?, venue_order = ?, refusal = ?, ended_at = ?,
       fill_count = ?, checksum = ?, take_rate = ?, make_rate = ?, margin = ?, reduce_only = ?,
       close_position = ?, post_only = ?, expire_at = ? WHERE client_order_id = ?`,
      instrumentId,
      ...values,
      ...later,
      order.clientOrderId,
    );
    for (const fill of unwritten) {
      const { id, ticks, lots, fee, feeCurrency, taker, at, margin = null } = fill;
      const columns = [order.clientOrderId, id, ticks, lots, fee.toFixed(), feeCurrency, taker ? 1 : 0, at]; // prettier-ignore
      insertRow(this.#file, 'fills', columns, [margin]);
    }
  }

  /** Counts the fills of an order on a new grid, to the nearest step. */
  regridFills(clientOrderId: string, from: Instrument, to: Instrument): void {
    for (const row of this.#fillRows(clientOrderId)) {
      const ticks = to.ticks(from.price(row.ticks), 'near');
      const lots = to.lots(from.size(row.lots), 'near');
      const { id, fee, fee_currency: feeCurrency, taker, at, margin } = row;
      const columns = [clientOrderId, id, ticks, lots, fee, feeCurrency, taker, at];
      const checksum = withChecksum('fills', columns, [margin]).at(-2) ?? null;
      this.#file.run(
        'UPDATE fills SET ticks = ?, lots = ?, checksum = ? WHERE client_order_id = ? AND id = ?',
        ticks,
        lots,
        checksum,
        clientOrderId,
        id,
      );
    }
  }

  read(clientOrderId: string): StoredOrder | undefined {
    const row = this.#file.get`SELECT * FROM orders WHERE client_order_id = ${clientOrderId}`;
    return row === undefined ? undefined : this.#read(row);
  }

  #read(row: Row): StoredOrder {
    return readRow(this.#file, 'orders', row, () => {
      const { symbol } = this.#instruments.byId(Number(row['instrument']));
      const order = orderOf(row as unknown as OrderRow, symbol);
      const { clientOrderId } = order;
      const fills = this.#file.all`SELECT id FROM fills WHERE client_order_id = ${clientOrderId} ORDER BY id`; // prettier-ignore
      checkFills(row as unknown as OrderRow, fills.length);
      return {
        order: { ...order, fillIds: fills.map(({ id }) => Number(id)) },
        instrumentId: Number(row['instrument']),
        unwritten: [],
      };
    });
  }

  /** An order as stored in the file. */
  order(clientOrderId: string): Order | undefined {
    return this.read(clientOrderId)?.order;
  }

  /** The open orders, as they were intended. */
  open(): readonly GriddedOrder[] {
    return this.#gridded(this.#file.all`SELECT * FROM orders
      WHERE ended_at IS NULL ORDER BY intended_at, client_order_id`);
  }

  /** Those that ended after `after` and not after `until`, as they ended; at most `most`. */
  ended(after: HistoryCursor, until: Micros, most: number): readonly GriddedOrder[] {
    return this.#gridded(this.#file.all`SELECT * FROM orders
      WHERE (ended_at, client_order_id) > (${after.endedAt}, ${after.clientOrderId})
      AND ended_at <= ${until} ORDER BY ended_at, client_order_id LIMIT ${most}`);
  }

  /** The last that ended since a time, as they ended; at most `most`. */
  lastEnded(since: Micros, most: number): readonly GriddedOrder[] {
    return this.#gridded(this.#file.all`SELECT * FROM orders WHERE ended_at >= ${since}
      ORDER BY ended_at DESC, client_order_id DESC LIMIT ${most}`).toReversed();
  }

  /** When the last order ended; 0 if none has. */
  lastEndedAt(): Micros {
    return micros(this.#file.number`SELECT max(ended_at) FROM orders WHERE ended_at IS NOT NULL`);
  }

  /** How many ended since a time. */
  endedCount(since: Micros): number {
    return this.#file.number`SELECT count(*) FROM orders WHERE ended_at >= ${since}`;
  }

  #gridded(rows: readonly Row[]): readonly GriddedOrder[] {
    return rows.map((row) => {
      const { order, instrumentId } = this.#read(row);
      return { order, instrument: this.#instruments.byId(instrumentId) };
    });
  }

  /** The fills of an order in the file, oldest first. */
  fills(clientOrderId: string): readonly JournaledFill[] {
    const read = this.read(clientOrderId);
    if (read === undefined) return [];
    const { strategy, symbol, side } = read.order;
    return this.#fillRows(clientOrderId).map((fill) => ({
      ...fillOf(fill, symbol, side),
      strategy,
    }));
  }

  #fillRows(clientOrderId: string): readonly FillRow[] {
    const rows = this.#file.all`SELECT * FROM fills WHERE client_order_id = ${clientOrderId} ORDER BY at, id`; // prettier-ignore
    return rows.map((row) => readRow(this.#file, 'fills', row, () => checkedFill(row)));
  }

  /** The error of an order that an index of the file names and no table has. */
  missing(clientOrderId: string): MillraceError {
    return this.#file.damaged(
      `an index names the row "${clientOrderId}" of the table orders, which is not there`,
    );
  }

  openIds(): readonly string[] {
    return ids(this.#file.all`SELECT client_order_id FROM orders
      WHERE ended_at IS NULL ORDER BY intended_at`);
  }

  /** The orders of a list, those that were replaced too. */
  idsOfList(orderListId: string): readonly string[] {
    return ids(this.#file.all`SELECT client_order_id FROM orders
      WHERE list_id = ${orderListId} ORDER BY list_index, intended_at`);
  }
}

const ids = (rows: readonly Record<string, unknown>[]): readonly string[] =>
  rows.map((row) => String(row['client_order_id']));

/** The columns before those that change, in the order of the table. */
function fixed({ order, instrumentId }: StoredOrder): Column[] {
  return [
    order.clientOrderId,
    order.strategy,
    instrumentId,
    order.side,
    order.type,
    order.timeInForce,
    order.managed ? 1 : 0,
    order.orderListId ?? null,
    order.contingencyType ?? null,
    order.listIndex ?? null,
    order.replaces ?? null,
    order.requestedAt,
  ];
}

/** The columns after the checksum: members of the request, which never change. */
const laterOf = ({ order }: StoredOrder): Column[] => [
  order.takeRate?.toFixed() ?? null,
  order.makeRate?.toFixed() ?? null,
  order.margin?.mode ?? null,
  flag(order.margin?.reduceOnly),
  flag(order.margin?.closePosition),
  flag(order.postOnly),
  order.expireAt ?? null,
];

const flag = (is: boolean | undefined): number | null => (is === undefined ? null : is ? 1 : 0);

function marginOf(row: OrderRow): OrderMargin | undefined {
  if (row.margin === null) return undefined;
  return {
    mode: modeOf(row.margin),
    ...(row.reduce_only === null ? {} : { reduceOnly: row.reduce_only === 1 }),
    ...(row.close_position === null ? {} : { closePosition: row.close_position === 1 }),
  };
}

const rateOf = (column: string, text: string | null): Decimal | undefined =>
  text === null ? undefined : amountOf(column, text);

/** Throws a RangeError for numbers that no order has. */
function checkNumbers(row: OrderRow): void {
  // A close-position order has no quantity until it is triggered.
  whole('lots', row.lots, row.close_position === 1 ? 0 : 1);
  whole('executed_lots', row.executed_lots, 0);
  whole('seen_lots', row.seen_lots, 0);
  whole('ticks', row.ticks ?? 0, 0);
  whole('stop_ticks', row.stop_ticks ?? 0, 0);
}

function checkFills({ fill_count: count }: OrderRow, found: number): void {
  if (count === null || count === found) return;
  throw new RangeError(`it has ${count} fills, of which ${found} are there`);
}

/** The columns that change, in the order of the table. */
function changing(order: Order): Column[] {
  return [
    order.replacedBy ?? null,
    order.status,
    order.lots,
    order.ticks ?? null,
    order.stopTicks ?? null,
    order.filledLots,
    order.receivedLots,
    order.venueOrder === undefined ? null : JSON.stringify(order.venueOrder),
    order.rejection === undefined ? null : JSON.stringify(order.rejection),
    order.endedAt ?? null,
    order.fillIds.length,
  ];
}

/** An order as its row has it, but for its fills. */
function orderOf(row: OrderRow, symbol: string): Order {
  checkNumbers(row);
  const venueOrder = fromJson<VenueOrder>(row.venue_order);
  const pending = pendingOrder(
    {
      clientOrderId: row.client_order_id,
      symbol,
      side: row.side,
      type: row.type,
      timeInForce: row.time_in_force,
      lots: row.lots,
      ticks: row.ticks ?? undefined,
      stopTicks: row.stop_ticks ?? undefined,
      expireAt: row.expire_at ?? venueOrder?.expireAt,
      postOnly: row.post_only === null ? (venueOrder?.postOnly ?? false) : row.post_only === 1,
      margin: marginOf(row),
      takeRate: rateOf('take_rate', row.take_rate),
      makeRate: rateOf('make_rate', row.make_rate),
    },
    { strategy: row.strategy, managed: row.wished === 1, requestedAt: row.intended_at },
    {
      orderListId: row.list_id ?? undefined,
      contingencyType: row.contingency_type ?? undefined,
      listIndex: row.list_index ?? undefined,
    },
    row.replaces ?? undefined,
  );
  const known = {
    ...pending,
    filledLots: row.executed_lots,
    receivedLots: row.seen_lots,
    // Fills that the venue counted and that were not received are not waited for.
    settledLots: row.executed_lots - row.seen_lots,
    replacedBy: row.replaced_by ?? undefined,
    endedAt: row.ended_at ?? undefined,
    inactive: isOpen(row) && venueOrder?.inactive === true ? (true as const) : undefined,
    venueOrder,
  };
  const { status } = row;
  const refusal = fromJson<Rejection>(row.refusal);
  if (status !== 'rejected') return { ...known, status, rejection: refusal };
  if (refusal === undefined) throw new RangeError('it is rejected and has no reason');
  return { ...known, status, rejection: refusal };
}

const fromJson = <T>(text: string | null): T | undefined =>
  text === null ? undefined : (readStored(text) as T);

/** A row of a fill. Throws a RangeError for numbers that no fill has. */
export function checkedFill(row: Row): FillRow {
  const fill = row as unknown as FillRow;
  whole('lots', fill.lots, 1);
  whole('ticks', fill.ticks, 0);
  amountOf('fee', fill.fee);
  return fill;
}

export const fillOf = (row: FillRow, symbol: string, side: Side): Fill => ({
  id: row.id,
  clientOrderId: row.client_order_id,
  symbol,
  side,
  ticks: row.ticks,
  lots: row.lots,
  fee: Amount.of(decimal(row.fee)),
  feeCurrency: row.fee_currency,
  taker: row.taker === 1,
  at: row.at,
  ...(row.margin === null ? {} : { margin: modeOf(row.margin) }),
});
