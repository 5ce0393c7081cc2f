import type { OrderRequest, ReplaceRequest, RequestedOrder } from '../engine/gateway.ts';
import { Orders, type OrderChange } from '../engine/orders/orders.ts';
import { OwnList } from '../engine/orders/own-list.ts';
import type { Membership, OwnOrder } from '../engine/orders/own-order.ts';
import type { RestoredOrder } from '../engine/orders/restored-order.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Report } from '../model/report.ts';
import { riskOrder, type RiskOrder } from './view.ts';

/** The orders of a strategy as whoever limits it knows them: from what it sends and what is reported. */
export class KnownOrders {
  readonly orders = new Orders();
  readonly #instrument: (symbol: string) => Instrument;
  /** Orders that may not take, as long as nothing was heard of them. */
  readonly #postOnly = new Set<string>();
  /** As last asked for; nothing has changed since. */
  #open: readonly RiskOrder[] | undefined;

  /** `instrument` gives that of a symbol, or throws. */
  constructor(instrument: (symbol: string) => Instrument) {
    this.#instrument = instrument;
  }

  /** The open ones as limits look at them. */
  get open(): readonly RiskOrder[] {
    this.#open ??= this.#lookAtOrders();
    return this.#open;
  }

  /** Takes over an order of a former life. */
  restore(order: RestoredOrder): void {
    this.orders.restore(order, this.#instrument(order.symbol));
    this.#open = undefined;
  }

  /** Keeps in mind what is about to leave: it counts from here on. */
  note(request: OrderRequest): void {
    this.#open = undefined;
    switch (request.kind) {
      case 'place':
        this.#add(request);
        break;
      case 'placeList': {
        const { orderListId, contingencyType, orders } = request;
        const members = orders.map((order, listIndex) =>
          this.#add(order, { orderListId, contingencyType, listIndex }),
        );
        this.orders.addList(new OwnList(orderListId, contingencyType, members));
        break;
      }
      case 'replace':
        this.#addReplacement(request);
        break;
      case 'cancel':
        break;
    }
  }

  /** Takes what the venue says of an order. */
  hear(report: Exclude<Report, { kind: 'balance' }>): readonly OrderChange[] {
    const changes = this.#changesOf(report);
    this.#open = undefined;
    // From here on the venue's own word has it.
    for (const { order } of changes) this.#postOnly.delete(order.clientOrderId);
    return changes;
  }

  #changesOf(report: Exclude<Report, { kind: 'balance' }>): readonly OrderChange[] {
    if (report.kind === 'rejected') return this.orders.rejected(report);
    return report.kind === 'doubt' ? this.orders.doubted(report) : this.orders.report(report);
  }

  #lookAtOrders(): readonly RiskOrder[] {
    const open: RiskOrder[] = [];
    for (const order of this.orders.open()) {
      const { clientOrderId, replaces, venueOrder } = order;
      const postOnly = venueOrder?.postOnly ?? this.#postOnly.has(clientOrderId);
      open.push(riskOrder(order.snapshot(), postOnly, replaces?.clientOrderId));
    }
    return open;
  }

  #add(order: RequestedOrder, membership?: Membership): OwnOrder {
    if (order.postOnly) this.#postOnly.add(order.clientOrderId);
    return this.orders.add({ ...order, instrument: this.#instrument(order.symbol), membership });
  }

  #addReplacement({ clientOrderId, newClientOrderId, lots, ...change }: ReplaceRequest): void {
    const replaces = this.orders.find(clientOrderId);
    if (replaces === undefined) return;
    const { instrument, side, type, membership, ticks, stopTicks, takeRate, makeRate } = replaces;
    this.orders.add({
      clientOrderId: newClientOrderId,
      ...{ instrument, side, type, membership, replaces, lots, takeRate, makeRate },
      ticks: change.ticks ?? ticks,
      stopTicks: change.stopTicks ?? stopTicks,
    });
  }
}
