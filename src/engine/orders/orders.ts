import type { Fill, OrderReport, RejectReport } from '../../model/report.ts';
import type { OwnList } from './own-list.ts';
import { OwnOrder, type OwnOrderTerms } from './own-order.ts';

/** Ended orders remembered, so that late and repeated reports on them are known for what they are. */
const ENDED_MAX = 1_000;

/** What a report meant for an own order. */
export interface OrderChange {
  readonly order: OwnOrder;
  /** A fill that was not seen before. */
  readonly fill?: Fill;
}

/**
 * The orders of one strategy by client order id: kept as their reports say, in whatever order
 * these come.
 */
export class Orders {
  readonly #open = new Map<string, OwnOrder>();
  readonly #ended = new Map<string, OwnOrder>();
  readonly #lists = new Map<string, OwnList>();

  add(terms: OwnOrderTerms): OwnOrder {
    const order = new OwnOrder(terms);
    this.#open.set(order.clientOrderId, order);
    return order;
  }

  /** An order that is open, or was until lately. */
  find(clientOrderId: string): OwnOrder | undefined {
    return this.#open.get(clientOrderId) ?? this.#ended.get(clientOrderId);
  }

  addList(list: OwnList): void {
    this.#lists.set(list.orderListId, list);
    if (this.#lists.size <= ENDED_MAX) return;
    for (const [id, one] of this.#lists) {
      if (one.isActive) continue;
      this.#lists.delete(id);
      break;
    }
  }

  /** The list of an order, one that ended until lately too. */
  listOf({ membership }: OwnOrder): OwnList | undefined {
    return membership === undefined ? undefined : this.#lists.get(membership.orderListId);
  }

  /** The open ones, oldest first. */
  open(): Iterable<OwnOrder> {
    return this.#open.values();
  }

  /** Takes what happened to an own order. The orders that changed, the one it replaced first. */
  report(report: OrderReport): readonly OrderChange[] {
    const order = this.find(report.order.clientOrderId);
    if (order === undefined) return [];
    const changes: OrderChange[] = [];
    const { replaces } = order;
    if (replaces !== undefined) {
      order.replaces = undefined;
      replaces.endFor(order);
      this.#settle(replaces);
      changes.push({ order: replaces });
      this.listOf(order)?.succeed(order);
    }
    order.update(report.order);
    if (report.kind === 'status') order.settle();
    changes.push({ order, ...this.#fill(order, report) });
    this.#settle(order);
    return changes;
  }

  /** Takes the refusal of a request; gives the order that it left changed. */
  rejected(report: RejectReport): readonly OrderChange[] {
    const order = this.find(report.clientOrderId);
    if (order === undefined) return [];
    if (report.request === 'cancel') {
      order.refusedRequests += 1;
      return [this.#doubt(order, report)];
    }
    if (report.request === 'placeList') return this.#rejectedList(order, report);
    if (order.status !== 'pending') return [];
    order.status = 'rejected';
    order.refusal = report.refusal;
    this.#settle(order);
    const { replaces } = order;
    if (replaces === undefined) return [{ order }];
    order.replaces = undefined;
    replaces.refusedRequests += 1;
    return [{ order }, this.#doubt(replaces, report)];
  }

  /** A refused list takes all its orders with it. */
  #rejectedList(first: OwnOrder, { refusal }: RejectReport): readonly OrderChange[] {
    const pending = (this.listOf(first)?.orders ?? []).filter(({ status }) => status === 'pending');
    return pending.map((order) => {
      order.status = 'rejected';
      order.refusal = refusal;
      this.#settle(order);
      return { order };
    });
  }

  #fill(order: OwnOrder, report: OrderReport): { fill?: Fill } {
    if (report.kind !== 'trade') return {};
    const { fill } = report;
    return order.fill(fill.id, fill.lots) ? { fill } : {};
  }

  /** A venue that does not know an order which we think is open: its fate is not known. */
  #doubt(order: OwnOrder, { refusal }: RejectReport): OrderChange {
    if (refusal.code === 'order-unknown' && order.isOpen) order.status = 'unknown';
    return { order };
  }

  #settle(order: OwnOrder): void {
    if (order.isOpen) return;
    this.#open.delete(order.clientOrderId);
    this.#ended.set(order.clientOrderId, order);
    if (this.#ended.size <= ENDED_MAX) return;
    const [oldest] = this.#ended.keys();
    this.#ended.delete(oldest);
  }
}
