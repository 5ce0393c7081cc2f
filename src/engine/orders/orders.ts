import type { Instrument } from '../../model/instrument.ts';
import { isActive } from '../../model/order.ts';
import type { DoubtReport, Fill, OrderReport, RejectReport } from '../../model/report.ts';
import type { OwnList } from './own-list.ts';
import { OwnOrder, type OwnOrderTerms } from './own-order.ts';
import type { RestoredOrder } from './restored-order.ts';

/** Ended orders remembered, so that late and repeated reports on them are known for what they are. */
export const ENDED_MAX = 1_000;

/** What a report meant for an own order. */
export interface OrderChange {
  readonly order: OwnOrder;
  /** A fill that was not seen before. */
  readonly fill?: Fill;
  /** True where nothing changed that could be shown: a request on an order that has ended was refused. */
  readonly isSilent?: true;
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

  /** Takes over an order of a former life: fills that the venue counts are not waited for. */
  restore(restored: RestoredOrder, instrument: Instrument): OwnOrder {
    const { clientOrderId, side, type, lots, ticks, stopTicks, membership } = restored;
    const { takeRate, makeRate } = restored;
    const order = this.add({
      ...{ clientOrderId, instrument, side, type, lots, ticks, stopTicks, membership },
      ...{ takeRate, makeRate },
    });
    order.status = restored.status;
    order.executedLots = restored.executedLots;
    order.seenLots = restored.seenLots ?? restored.executedLots;
    for (const id of restored.fillIds ?? []) order.fillIds.add(id);
    order.refusal = restored.refusal;
    order.venueOrder = restored.venueOrder;
    order.settle();
    this.#settle(order);
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
    this.#endReplaced(order, changes);
    if (isRevived(order, report)) order.revive();
    order.update(report.order);
    if (report.kind === 'status') order.settle();
    changes.push({ order, ...this.#fill(order, report) });
    this.#settle(order);
    return changes;
  }

  /** Ends what an order has replaced: that it is there proves that this was too, and what that replaced. */
  #endReplaced(order: OwnOrder, changes: OrderChange[]): void {
    const { replaces } = order;
    if (replaces === undefined) return;
    order.replaces = undefined;
    this.#endReplaced(replaces, changes);
    replaces.endFor(order);
    this.#settle(replaces);
    changes.push({ order: replaces });
    this.listOf(order)?.succeed(order);
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
    const isLost = report.refusal.code === 'order-lost' && order.isOpen;
    if (!isLost && !isUnanswered(order)) return [];
    if (isLost) order.lose(report.refusal);
    else {
      order.status = 'rejected';
      order.refusal = report.refusal;
    }
    this.#settle(order);
    const { replaces } = order;
    if (replaces === undefined) return [{ order }];
    // What was lost may yet be found, and has replaced it then.
    if (!isLost) order.replaces = undefined;
    replaces.refusedRequests += 1;
    return [{ order }, this.#doubt(replaces, report)];
  }

  /** A refused list takes all its orders with it. */
  #rejectedList(first: OwnOrder, { refusal }: RejectReport): readonly OrderChange[] {
    return this.#unansweredWith(first).map((order) => {
      order.status = 'rejected';
      order.refusal = refusal;
      this.#settle(order);
      return { order };
    });
  }

  /**
   * Takes that nothing was heard of a request: what it would have made is not known now. An order
   * that was to be replaced or canceled stands as it stood, as far as we know.
   */
  doubted({ request, clientOrderId }: DoubtReport): readonly OrderChange[] {
    const order = this.find(clientOrderId);
    if (order === undefined || request === 'cancel') return [];
    const doubted = request === 'placeList' ? this.#unansweredWith(order) : [order];
    return doubted.filter(isUnanswered).map((one) => {
      one.status = 'unknown';
      return { order: one };
    });
  }

  /** The orders of the same list of which nothing was heard yet. */
  #unansweredWith(first: OwnOrder): readonly OwnOrder[] {
    return (this.listOf(first)?.orders ?? []).filter(isUnanswered);
  }

  #fill(order: OwnOrder, report: OrderReport): { fill?: Fill } {
    if (report.kind !== 'trade') return {};
    const { fill } = report;
    return order.fill(fill.id, fill.lots) ? { fill } : {};
  }

  /** A venue that does not know an order which we think is open: its fate is not known. */
  #doubt(order: OwnOrder, { refusal }: RejectReport): OrderChange {
    if (!order.isOpen) return { order, isSilent: true };
    if (refusal.code === 'order-unknown') order.status = 'unknown';
    return { order };
  }

  #settle(order: OwnOrder): void {
    if (order.isOpen) {
      if (this.#ended.delete(order.clientOrderId)) this.#open.set(order.clientOrderId, order);
      return;
    }
    this.#open.delete(order.clientOrderId);
    this.#ended.set(order.clientOrderId, order);
    if (this.#ended.size <= ENDED_MAX) return;
    const [oldest] = this.#ended.keys();
    this.#ended.delete(oldest);
  }
}

/**
 * True where the venue, asked for the truth, has an order active whose end was told: by a refusal
 * that came of something else, or by a word older than this.
 */
export const isRevived = (order: OwnOrder, { kind, order: told }: OrderReport): boolean =>
  kind === 'status' &&
  !order.isOpen &&
  isActive(told.status) &&
  (order.venueOrder === undefined
    ? order.replacedBy === undefined
    : told.updatedAt > order.venueOrder.updatedAt && !isActive(order.venueOrder.status));

export const isUnanswered = ({ status }: OwnOrder): boolean =>
  status === 'pending' || status === 'unknown';
