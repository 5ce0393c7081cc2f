import { Amount } from '../../../src/model/amount.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { NewOrder } from '../../../src/model/order.ts';
import type { AccountSnapshot } from '../../../src/gateways/venue-account.ts';
import { isActive, type VenueOrder } from '../../../src/model/order.ts';
import type { Fill, Report } from '../../../src/model/report.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros, type Micros } from '../../../src/platform/time.ts';

/** Fee in USDT of each lot, whatever the price, so that it is easy to follow by hand. */
const FEE_HUNDREDTHS_PER_LOT = 3;

/**
 * A venue as simply as can be: orders that do what the test says, reports in the order of what
 * happened, and the snapshot on demand. It knows no price and no funds.
 */
export class ModelVenue {
  now: Micros;
  readonly orders: VenueOrder[] = [];
  readonly fills: Fill[] = [];
  readonly #emit: (report: Report) => void;
  #lastId = 0;

  constructor(now: Micros, emit: (report: Report) => void) {
    this.now = now;
    this.#emit = emit;
  }

  get active(): readonly VenueOrder[] {
    return this.orders.filter(({ status }) => isActive(status));
  }

  named(clientOrderId: string): VenueOrder | undefined {
    return this.orders.find((order) => order.clientOrderId === clientOrderId);
  }

  take(request: OrderRequest): void {
    switch (request.kind) {
      case 'place':
        this.#open(request);
        return;
      case 'placeList': {
        const { orderListId, contingencyType } = request;
        for (const order of request.orders) this.#open(order, { orderListId, contingencyType });
        return;
      }
      case 'replace':
        this.#replace(request);
        return;
      case 'cancel':
        this.end(request.clientOrderId, 'canceled');
        return;
    }
  }

  /** Executes lots of an active order; an order of a list takes the others along when it is done. */
  fill(order: VenueOrder, lots: number): void {
    const filledLots = (order.filledLots + lots) as Lots;
    const status = filledLots === order.lots ? 'filled' : 'partiallyFilled';
    const { clientOrderId, symbol, side, ticks = 1 as Ticks } = order;
    const fee = Amount.units(FEE_HUNDREDTHS_PER_LOT * lots, 2);
    const fill: Fill = {
      id: this.fills.length + 1,
      clientOrderId,
      symbol,
      side,
      ticks,
      lots: lots as Lots,
      fee,
      feeCurrency: 'USDT',
      taker: false,
      at: this.now,
    };
    this.fills.push(fill);
    const after = this.#change(order, { filledLots, status });
    this.#emit({ kind: 'trade', at: this.now, order: after, fill });
    if (order.orderListId === undefined) return;
    for (const other of this.active) {
      const isSibling = other.orderListId === order.orderListId;
      if (isSibling && other.clientOrderId !== clientOrderId)
        this.end(other.clientOrderId, 'canceled');
    }
  }

  end(clientOrderId: string, status: 'canceled' | 'expired'): void {
    const order = this.active.find((one) => one.clientOrderId === clientOrderId);
    if (order === undefined) {
      const message = 'There is no such active order.';
      const rejection = { code: 'order-unknown', message } as const;
      const named = { clientOrderId, symbol: 'BTCUSDT' };
      this.#emit({ kind: 'rejected', at: this.now, request: 'cancel', ...named, rejection });
      return;
    }
    this.#emit({ kind: status, at: this.now, order: this.#change(order, { status }) });
  }

  snapshot(fillsSince: number): AccountSnapshot {
    return {
      at: this.now,
      orders: this.active,
      ended: this.orders.filter(({ status }) => !isActive(status)),
      fills: this.fills.filter(({ at }) => at >= fillsSince),
      balances: [],
    };
  }

  #open(request: NewOrder, list: Partial<VenueOrder> = {}): void {
    const { clientOrderId, symbol, side, type, timeInForce, lots, ticks } = request;
    const order: VenueOrder = {
      id: (this.#lastId += 1),
      clientOrderId,
      symbol,
      side,
      type,
      timeInForce,
      lots,
      ticks,
      ...list,
      status: 'new',
      filledLots: 0 as Lots,
      postOnly: false,
      createdAt: this.now,
      updatedAt: this.now,
    };
    this.orders.push(order);
    this.#emit({ kind: 'new', at: this.now, order });
  }

  #replace(request: Extract<OrderRequest, { kind: 'replace' }>): void {
    const { clientOrderId, newClientOrderId, lots, ticks, symbol } = request;
    const order = this.active.find((one) => one.clientOrderId === clientOrderId);
    if (order === undefined || lots <= order.filledLots) {
      const code = order === undefined ? 'order-unknown' : 'quantity-below-executed';
      const rejection = { code, message: 'No.' } as const;
      const named = { clientOrderId: newClientOrderId, symbol };
      this.#emit({ kind: 'rejected', at: this.now, request: 'replace', ...named, rejection });
      return;
    }
    this.#change(order, { status: 'canceled' });
    const successor: VenueOrder = {
      ...order,
      id: (this.#lastId += 1),
      clientOrderId: newClientOrderId,
      lots,
      updatedAt: this.now,
      ...(ticks === undefined ? {} : { ticks }),
      originalClientOrderId: clientOrderId,
    };
    this.orders.push(successor);
    this.#emit({ kind: 'replaced', at: this.now, order: successor });
  }

  #change(order: VenueOrder, change: Partial<VenueOrder>): VenueOrder {
    const after = { ...order, ...change, updatedAt: micros(this.now) };
    this.orders[this.orders.findIndex(({ id }) => id === order.id)] = after;
    return after;
  }
}
