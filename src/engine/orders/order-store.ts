import {
  isLost,
  isOpen,
  isUnanswered,
  type ContingencyType,
  type Order,
} from '../../model/order.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import {
  applyOrderEvent,
  hasFill,
  type OrderEvent,
  type Requester,
} from '../../model/order-reducer.ts';
import type {
  AnyOrderReport,
  UnknownOutcomeReport,
  Fill,
  OrderReport,
  RejectReport,
} from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import { StrategyOrderIndex } from './order-index.ts';
import { OwnList } from './own-list.ts';
import { requestedOrders } from './requested-orders.ts';

/** Ended orders that are remembered, so that late and repeated reports are recognized. */
export const ENDED_MAX = 1_000;

/** Effect of a report on an own order. */
export interface OrderChange {
  readonly order: Order;
  /** A fill that was not received before. */
  readonly fill?: Fill;
  /** True without a visible change: a request on an ended order was rejected. */
  readonly isUnchanged?: true;
}

/** True for a change of an order without a list. */
export const isInNoList = ({ order }: OrderChange): boolean => order.orderListId === undefined;

/** Receives every new or changed order, and the event that changed it. */
export type OrderListener = (order: Order, event: OrderEvent | undefined) => void;

/**
 * Orders of one account by client order id, maintained from their reports, in whatever order these
 * come. An order changes only by `applyOrderEvent`; this class applies the change of one order to
 * others: those that it replaces, and those of its list. The receiver of a report applies it once;
 * all others read, or subscribe.
 */
export class OrderStore {
  readonly #orders = new StrategyOrderIndex(ENDED_MAX);
  readonly #lists = new Map<string, OwnList>();
  #load: (clientOrderId: string) => Order | undefined = () => undefined;
  #changed: OrderListener | undefined;

  /** Sets the loader of orders that are no longer in memory, and the listener of changes. */
  subscribe(load: (clientOrderId: string) => Order | undefined, changed: OrderListener): void {
    this.#load = load;
    this.#changed = changed;
  }

  /** Adds a new order, or a restored one. */
  add(order: Order, event?: OrderEvent): void {
    this.#put(order);
    this.#changed?.(order, event);
  }

  /** Drops an ended order, as if it had not been requested. */
  forget(clientOrderId: string): void {
    this.#orders.forget(clientOrderId);
  }

  /**
   * Records a request: its new orders, or the cancel of one. Returns its new orders, none if it
   * replaces an unknown order.
   */
  request(request: OrderRequest, requester: Requester): readonly Order[] {
    if (request.kind === 'cancel') {
      this.apply(request.clientOrderId, { kind: 'cancelRequested' }, requester.requestedAt);
      return [];
    }
    const orders = requestedOrders(request, (id) => this.find(id), requester);
    if (request.kind !== 'placeList') for (const order of orders) this.add(order);
    else this.addList(request.orderListId, request.contingencyType, orders);
    return orders;
  }

  /** Adds orders of a list. */
  addList(
    orderListId: string,
    contingencyType: ContingencyType,
    orders: readonly Order[],
  ): OwnList {
    for (const order of orders) this.add(order);
    return this.keepList(orderListId, contingencyType, orders);
  }

  /** Adds a list of known orders. */
  keepList(
    orderListId: string,
    contingencyType: ContingencyType,
    orders: readonly Order[],
  ): OwnList {
    const list = new OwnList(orderListId, contingencyType, orders);
    this.#lists.set(orderListId, list);
    if (this.#lists.size > ENDED_MAX) this.#forgetList();
    return list;
  }

  /** An open order, one that ended a short time ago, or one that can be loaded. */
  find(clientOrderId: string): Order | undefined {
    return this.inMemory(clientOrderId) ?? this.#loaded(clientOrderId);
  }

  /** An open order, or one that ended a short time ago. */
  inMemory(clientOrderId: string): Order | undefined {
    return this.#orders.get(clientOrderId);
  }

  /** The list of an order, also one that ended a short time ago. */
  listOf({ orderListId }: Order): OwnList | undefined {
    return orderListId === undefined ? undefined : this.#lists.get(orderListId);
  }

  /** Open orders, oldest first. */
  open(): readonly Order[] {
    return this.#orders.open();
  }

  /** True if the first order came before the other; false if one is not in memory. */
  isBefore(clientOrderId: string, other: string): boolean {
    return this.#orders.isBefore(clientOrderId, other);
  }

  /** Applies an event of one order; returns the order after it, `undefined` for an unknown one. */
  apply(clientOrderId: string, event: OrderEvent, at: Micros): Order | undefined {
    const order = this.find(clientOrderId);
    return order === undefined ? undefined : this.#apply(order, event, at);
  }

  /** Applies a report; returns the changed orders, a replaced one first. */
  take(report: AnyOrderReport, at: Micros): OrderChange[] {
    if (report.kind === 'rejected') return this.#rejected(report, at);
    return report.kind === 'outcome-unknown'
      ? this.#unknownOutcome(report, at)
      : this.#reported(report, at);
  }

  #reported(report: OrderReport, at: Micros): OrderChange[] {
    const before = this.find(report.order.clientOrderId);
    if (before === undefined) return [];
    if (this.#toReplace(before) === undefined) return [this.#changeOf(before, report, at)];
    const changes: OrderChange[] = [];
    const order = this.#endReplaced(before, changes, at);
    changes.push(this.#changeOf(order, report, at));
    return changes;
  }

  /** Applies a report of an order, with its fill if that is new. */
  #changeOf(order: Order, report: OrderReport, at: Micros): OrderChange {
    const after = this.#apply(order, report, at);
    if (report.kind !== 'trade' || hasFill(order, report.fill.id)) return { order: after };
    this.#pass(after, report.fill.lots, at);
    return { order: after, fill: report.fill };
  }

  /**
   * Ends the orders that an order has replaced, as its existence proves. Returns the order with
   * what it inherits.
   */
  #endReplaced(order: Order, changes: OrderChange[], at: Micros): Order {
    const replaced = this.#toReplace(order);
    if (replaced === undefined) return order;
    const last = this.#endReplaced(replaced, changes, at);
    const { clientOrderId } = order;
    changes.push({ order: this.#apply(last, { kind: 'replacedBy', clientOrderId }, at) });
    const heir = this.#apply(order, { kind: 'inherited', from: last }, at);
    this.listOf(heir)?.succeed(heir);
    return heir;
  }

  /** The order that one is to replace, while it is unknown whether it has. */
  #toReplace(order: Order): Order | undefined {
    const { replaces } = order;
    if (replaces === undefined || !(isUnanswered(order) || isLost(order))) return undefined;
    const replaced = this.find(replaces);
    return replaced?.replacedBy === undefined ? replaced : undefined;
  }

  /** Adds the lots of a fill to all successors of the order. */
  #pass({ replacedBy }: Order, lots: number, at: Micros): void {
    for (let id = replacedBy; id !== undefined;) {
      id = this.apply(id, { kind: 'inheritedFill', lots }, at)?.replacedBy;
    }
  }

  #rejected(report: RejectReport, at: Micros): OrderChange[] {
    const order = this.find(report.clientOrderId);
    if (order === undefined) return [];
    const { request, rejection } = report;
    if (request === 'cancel') return [this.#requestRejected(order, report, at)];
    if (request === 'placeList') {
      return this.#requestedWith(order).map((each) => ({
        order: this.#apply(each, { kind: 'rejected', rejection }, at),
      }));
    }
    const wasLost = rejection.code === 'order-lost' && isOpen(order);
    if (!wasLost && !isUnanswered(order)) return [];
    const replaced = this.#toReplace(order);
    const after = this.#apply(order, { kind: wasLost ? 'lost' : 'rejected', rejection }, at);
    if (replaced === undefined) return [{ order: after }];
    return [{ order: after }, this.#requestRejected(replaced, report, at)];
  }

  /** Marks an order that the venue does not know as unknown, if we think it is open. */
  #requestRejected(order: Order, { rejection }: RejectReport, at: Micros): OrderChange {
    const after = this.#apply(order, { kind: 'requestRejected' }, at);
    if (!isOpen(after)) return { order: after, isUnchanged: true };
    if (rejection.code !== 'order-unknown') return { order: after };
    return { order: this.#apply(after, { kind: 'unknown' }, at) };
  }

  /** Keeps an order that was to be replaced or canceled, and marks new orders as unknown. */
  #unknownOutcome({ request, clientOrderId }: UnknownOutcomeReport, at: Micros): OrderChange[] {
    const order = this.find(clientOrderId);
    if (order === undefined || request === 'cancel') return [];
    const unknownOutcome = request === 'placeList' ? this.#requestedWith(order) : [order];
    return unknownOutcome
      .filter(isUnanswered)
      .map((each) => ({ order: this.#apply(each, { kind: 'unknown' }, at) }));
  }

  /** Orders of the same request without a report. */
  #requestedWith(first: Order): readonly Order[] {
    const { orderListId } = first;
    if (orderListId === undefined) return isUnanswered(first) ? [first] : [];
    return this.open().filter(
      (order) =>
        order.orderListId === orderListId && order.replaces === undefined && isUnanswered(order),
    );
  }

  #apply(order: Order, event: OrderEvent, at: Micros): Order {
    const after = applyOrderEvent(order, event, at);
    if (after !== order) this.add(after, event);
    return after;
  }

  #loaded(clientOrderId: string): Order | undefined {
    const order = this.#load(clientOrderId);
    if (order !== undefined) this.#put(order);
    return order;
  }

  #put(order: Order): void {
    this.listOf(order)?.update(order);
    this.#orders.put(order);
  }

  #forgetList(): void {
    for (const [id, one] of this.#lists) {
      if (one.isActive) continue;
      this.#lists.delete(id);
      return;
    }
  }
}
