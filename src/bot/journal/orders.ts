import type { OrderChange, OrderStore } from '../../engine/orders/order-store.ts';
import { restoreLists } from '../../engine/orders/restored.ts';
import type { OrderEvent } from '../../model/order-reducer.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Order, VenueOrder } from '../../model/order.ts';
import { idsOf, type OrderRequest } from '../../model/order-request.ts';
import type { AnyOrderReport, Fill } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import type { StoredOrder } from './order.ts';
import type { JournaledFill } from './records.ts';
import { adoptedOrder } from './replay.ts';
import { regridded } from './regrid.ts';
import type { OrderRows } from './order-rows.ts';

/**
 * The account's orders in the journal: the orders themselves are in the account's store; this keeps their
 * rows and the unwritten changes. An order that was requested but not journaled is not the journal's yet.
 * Orders that ended long ago are read when a report names them.
 */
export class StoredOrders {
  readonly #rows: OrderRows;
  readonly #store: OrderStore;
  /** Rows of the instruments on whose grids the orders in memory are; only of journaled orders. */
  readonly #instrumentIds = new Map<string, number>();
  /** Not in the file as they are now. */
  readonly #changed = new Map<string, Omit<StoredOrder, 'unwritten'>>();
  readonly #unwritten = new Map<string, Fill[]>();
  /** Intended and not in the file yet, oldest first. */
  readonly #intended = new Set<string>();

  constructor(rows: OrderRows, store: OrderStore) {
    this.#rows = rows;
    this.#store = store;
    store.subscribe(
      (id) => this.#load(id),
      (order, event) => this.#change(order, event),
    );
    for (const id of rows.openIds()) if (this.find(id) === undefined) throw rows.missing(id);
  }

  /** The journaled order of an id. */
  find(clientOrderId: string): Order | undefined {
    const order = this.#store.find(clientOrderId);
    return this.#instrumentIds.has(clientOrderId) ? order : undefined;
  }

  /** The order of an id, and what belongs to its row. */
  kept(clientOrderId: string): StoredOrder | undefined {
    const order = this.find(clientOrderId);
    const instrumentId = this.#instrumentIds.get(clientOrderId);
    if (order === undefined || instrumentId === undefined) return undefined;
    return { order, instrumentId, unwritten: this.unwritten(clientOrderId) };
  }

  /** The fills of an order that were received, oldest first. */
  fills(clientOrderId: string): readonly JournaledFill[] {
    const strategy = this.held(clientOrderId)?.strategy ?? '';
    const more = this.unwritten(clientOrderId).map((fill) => ({ ...fill, strategy }));
    return [...this.#rows.fills(clientOrderId), ...more].sort(
      (one, other) => one.at - other.at || one.id - other.id,
    );
  }

  /** The journaled order of an id, if it is in memory. */
  held(clientOrderId: string): Order | undefined {
    const order = this.#store.inMemory(clientOrderId);
    if (order !== undefined && this.#instrumentIds.has(clientOrderId)) return order;
    return this.#changed.get(clientOrderId)?.order;
  }

  /** The orders that a request makes, if they were requested and are not journaled. */
  asked(request: OrderRequest): readonly Order[] | undefined {
    const orders = idsOf(request).flatMap((id) => {
      const order = this.#instrumentIds.has(id) ? undefined : this.#store.inMemory(id);
      return order?.status === 'pending' ? [order] : [];
    });
    return orders.length === 0 ? undefined : orders;
  }

  /** The open ones, in the order of their requests. */
  open(): readonly Order[] {
    return this.#store
      .open()
      .filter(({ clientOrderId }) => this.#instrumentIds.has(clientOrderId))
      .sort((one, other) => one.requestedAt - other.requestedAt);
  }

  get openCount(): number {
    let count = 0;
    for (const { clientOrderId } of this.#store.open()) {
      if (this.#instrumentIds.has(clientOrderId)) count += 1;
    }
    return count;
  }

  /** The fills of an order that are not in the file yet. */
  unwritten(clientOrderId: string): readonly Fill[] {
    return this.#unwritten.get(clientOrderId) ?? [];
  }

  /** Adds an order that is in the file. */
  add({ order, instrumentId }: StoredOrder): void {
    this.#store.add(order);
    this.#keep(order, instrumentId);
  }

  /** Adds an order that the next commit writes. */
  intend({ order: intended, instrumentId }: StoredOrder): void {
    const { clientOrderId } = intended;
    const asked = this.#store.inMemory(clientOrderId);
    if (asked === undefined) this.#store.add(intended);
    this.#keep(asked ?? intended, instrumentId);
    this.#intended.add(clientOrderId);
  }

  /** Rebuilds the lists of the open orders, including their ended members. */
  restoreLists(): void {
    const ids = new Set(this.open().flatMap(({ orderListId }) => orderListId ?? []));
    for (const id of ids) {
      const orders = this.idsOfList(id).map((one) => this.held(one) ?? this.#rows.order(one));
      restoreLists(
        this.#store,
        orders.filter((one) => one !== undefined),
      );
    }
  }

  /** The orders of a list, those that were replaced too. */
  idsOfList(orderListId: string): readonly string[] {
    return [
      ...this.#rows.idsOfList(orderListId),
      ...this.#intendedIds((order) => order.orderListId === orderListId),
    ];
  }

  /** An order that was not journaled before it was sent; `add` follows. */
  adopted(venueOrder: VenueOrder, strategy: string, instrumentId: number, at: Micros): StoredOrder {
    return { order: adoptedOrder(venueOrder, strategy, at), instrumentId, unwritten: [] };
  }

  /**
   * Converts the open orders of a symbol to a new grid, quantities and prices to the nearest step. A venue
   * keeps orders only if they fit, so it will end a rounded one.
   */
  regrid(from: Instrument, to: Instrument, instrumentId: number): readonly StoredOrder[] {
    return this.open()
      .filter(({ symbol }) => symbol === to.symbol)
      .map((order) => {
        const kept = { order: regridded(order, from, to), instrumentId, unwritten: [] };
        this.add(kept);
        return kept;
      });
  }

  /** Adds a fill of an order that was foreign when it was received. */
  inherit(clientOrderId: string, fill: Fill, at: Micros): void {
    const before = this.find(clientOrderId);
    const { id, lots } = fill;
    const after = this.#store.apply(clientOrderId, { kind: 'fill', id, lots }, at);
    if (after !== before) this.#keepFill(fill);
  }

  /** Orders without a report in an earlier process may or may not have arrived. */
  unknownOutcomeAll(at: Micros): void {
    const event: OrderEvent = { kind: 'unknown' };
    for (const { clientOrderId, status } of this.#store.open()) {
      if (status === 'pending') this.#store.apply(clientOrderId, event, at);
    }
  }

  /** Applies a report to the orders, once for all readers. */
  take(report: AnyOrderReport, at: Micros): readonly OrderChange[] {
    const changes = this.#store.take(report, at);
    for (const { fill } of changes) if (fill !== undefined) this.#keepFill(fill);
    return changes;
  }

  /** Writes the unwritten changes within a transaction. */
  write(): void {
    for (const id of this.#intended) this.#rows.insert(this.#written(id));
    for (const id of this.#changed.keys()) {
      if (!this.#intended.has(id) || this.#unwritten.has(id)) this.#rows.update(this.#written(id));
    }
  }

  /** Everything that changed is in the file. */
  written(): void {
    this.#changed.clear();
    this.#unwritten.clear();
    this.#intended.clear();
    for (const id of this.#instrumentIds.keys()) {
      if (this.#store.inMemory(id) === undefined) this.#instrumentIds.delete(id);
    }
  }

  #keep(order: Order, instrumentId: number): void {
    this.#instrumentIds.set(order.clientOrderId, instrumentId);
    this.#changed.set(order.clientOrderId, { order, instrumentId });
  }

  /** Receives what changes in the store. */
  #change(order: Order, event: OrderEvent | undefined): void {
    const { clientOrderId } = order;
    if (event === undefined) {
      // A new order, journaled once it is requested: an earlier order with its id is in the file.
      this.#instrumentIds.delete(clientOrderId);
      return;
    }
    const instrumentId = this.#instrumentIds.get(clientOrderId);
    if (instrumentId === undefined) return;
    if (NOT_IN_ROW.has(event.kind) && !this.#changed.has(clientOrderId)) return;
    this.#changed.set(clientOrderId, { order, instrumentId });
  }

  #load(clientOrderId: string): Order | undefined {
    const kept = this.#changed.get(clientOrderId) ?? this.#rows.read(clientOrderId);
    if (kept !== undefined) this.#instrumentIds.set(clientOrderId, kept.instrumentId);
    return kept?.order;
  }

  #written(clientOrderId: string): StoredOrder {
    const kept = this.#changed.get(clientOrderId);
    if (kept === undefined) throw this.#rows.missing(clientOrderId);
    return { ...kept, unwritten: this.unwritten(clientOrderId) };
  }

  #keepFill(fill: Fill): void {
    const { clientOrderId } = fill;
    this.#unwritten.set(clientOrderId, [...this.unwritten(clientOrderId), fill]);
  }

  #intendedIds(isMeant: (order: Order) => boolean): readonly string[] {
    return [...this.#intended].filter((id) => {
      const order = this.held(id);
      return order !== undefined && isMeant(order);
    });
  }
}

/** Events of which the row of an order has nothing. */
const NOT_IN_ROW: ReadonlySet<OrderEvent['kind']> = new Set(['cancelRequested', 'requestRejected']);
