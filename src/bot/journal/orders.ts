import { OrderStore } from '../../engine/orders/order-store.ts';
import { applyOrderEvent, pendingOrder, type OrderEvent } from '../../model/order-reducer.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Order, VenueOrder } from '../../model/order.ts';
import type { AnyOrderReport, Fill } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import type { KeptOrder } from './order.ts';
import { regridded } from './regrid.ts';
import type { OrderRows } from './order-rows.ts';

/**
 * The orders of an account and their rows: open orders, those that ended lately and those that
 * changed since the last commit are in memory, the others are read when a report names them.
 */
export class KeptOrders {
  readonly #rows: OrderRows;
  readonly #store: OrderStore;
  /** Rows of the instruments on whose grids the orders in memory are. */
  readonly #instrumentIds = new Map<string, number>();
  /** Not in the file as they are now. */
  readonly #changed = new Map<string, Order>();
  readonly #unwritten = new Map<string, Fill[]>();
  /** Intended and not in the file yet, oldest first. */
  readonly #intended = new Set<string>();

  constructor(rows: OrderRows) {
    this.#rows = rows;
    this.#store = new OrderStore({
      load: (id) => this.#load(id),
      changed: (order) => this.#changed.set(order.clientOrderId, order),
    });
    for (const id of rows.openIds()) if (this.find(id) === undefined) throw rows.missing(id);
  }

  /** The order of an id. */
  find(clientOrderId: string): Order | undefined {
    return this.#store.find(clientOrderId);
  }

  /** The order of an id, and what belongs to its row. */
  kept(clientOrderId: string): KeptOrder | undefined {
    const order = this.find(clientOrderId);
    const instrumentId = this.#instrumentIds.get(clientOrderId);
    if (order === undefined || instrumentId === undefined) return undefined;
    return { order, instrumentId, unwritten: this.unwritten(clientOrderId) };
  }

  /** The order of an id, if it is in memory. */
  held(clientOrderId: string): Order | undefined {
    return this.#store.inMemory(clientOrderId) ?? this.#changed.get(clientOrderId);
  }

  /** The open ones, in the order in which they were asked for. */
  open(): readonly Order[] {
    return this.#store.open().toSorted((one, other) => one.requestedAt - other.requestedAt);
  }

  get openCount(): number {
    return this.#store.open().length;
  }

  /** The fills of an order that are not in the file yet. */
  unwritten(clientOrderId: string): readonly Fill[] {
    return this.#unwritten.get(clientOrderId) ?? [];
  }

  /** Takes an order that is in the file by now. */
  add({ order, instrumentId }: KeptOrder): void {
    this.#instrumentIds.set(order.clientOrderId, instrumentId);
    this.#store.add(order);
  }

  /** Takes an order that goes to the file with the next commit. */
  intend(kept: KeptOrder): void {
    this.add(kept);
    this.#intended.add(kept.order.clientOrderId);
  }

  /** The orders of a list, those that were replaced too. */
  idsOfList(orderListId: string): readonly string[] {
    return [
      ...this.#rows.idsOfList(orderListId),
      ...this.#intendedIds((order) => order.orderListId === orderListId),
    ];
  }

  /**
   * The open orders of a strategy and, before them, those of its ended ones that were intended
   * last. What is asked of the file is bounded by `endedMost`, however many are kept.
   */
  idsOfStrategy(strategy: string, endedMost: number): readonly string[] {
    const ended = this.#rows.endedIdsOf(strategy, endedMost);
    const open = this.#rows.openIdsOf(strategy);
    return [...ended, ...open, ...this.#intendedIds((order) => order.strategy === strategy)];
  }

  /** An order that nobody journaled before it was sent; `add` follows. */
  adopted(venueOrder: VenueOrder, strategy: string, instrumentId: number, at: Micros): KeptOrder {
    const requester = { strategy, managed: false, requestedAt: at };
    const replaces = venueOrder.originalClientOrderId;
    const pending = pendingOrder(venueOrder, requester, {}, replaces);
    return {
      order: applyOrderEvent(pending, { kind: 'unknown' }, at),
      instrumentId,
      unwritten: [],
    };
  }

  /**
   * Brings the open orders of a symbol onto a new grid, quantities and prices to the nearest step:
   * a venue keeps orders only where they fit, so what is rounded is an order that it will end.
   */
  regrid(from: Instrument, to: Instrument, instrumentId: number): readonly KeptOrder[] {
    return this.open()
      .filter(({ symbol }) => symbol === to.symbol)
      .map((order) => {
        const kept = { order: regridded(order, from, to), instrumentId, unwritten: [] };
        this.add(kept);
        return kept;
      });
  }

  /** Counts a fill of an order that was foreign when it came. */
  inherit(clientOrderId: string, fill: Fill, at: Micros): void {
    const before = this.find(clientOrderId);
    const { id, lots } = fill;
    const after = this.#store.apply(clientOrderId, { kind: 'fill', id, lots }, at);
    if (after !== before) this.#keepFill(fill);
  }

  /** Of orders that a former process had not heard of nobody knows whether they arrived. */
  doubtAll(at: Micros): void {
    const event: OrderEvent = { kind: 'unknown' };
    for (const { clientOrderId, status } of this.#store.open()) {
      if (status === 'pending') this.#store.apply(clientOrderId, event, at);
    }
  }

  /** Takes what was reported; gives the fill where it was not received before. */
  take(report: AnyOrderReport, at: Micros): Fill | undefined {
    const fill = this.#store.take(report, at).find((change) => change.fill !== undefined)?.fill;
    if (fill !== undefined) this.#keepFill(fill);
    return fill;
  }

  /** Writes what is not in the file as it is now; within a transaction. */
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

  #load(clientOrderId: string): Order | undefined {
    const changed = this.#changed.get(clientOrderId);
    if (changed !== undefined) return changed;
    const kept = this.#rows.read(clientOrderId);
    if (kept !== undefined) this.#instrumentIds.set(clientOrderId, kept.instrumentId);
    return kept?.order;
  }

  #written(clientOrderId: string): KeptOrder {
    const kept = this.kept(clientOrderId);
    if (kept === undefined) throw this.#rows.missing(clientOrderId);
    return kept;
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
