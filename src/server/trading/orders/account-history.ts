import { isActive } from '../../../model/order.ts';
import { US_PER_DAY, type Micros } from '../../../platform/time.ts';
import type { OrderRecord, OrderReport, TradeRecord } from './order-record.ts';
import { OrderSeries, Shelves, type HistoryQuery, type KeptOrder } from './series.ts';
import { Timeline } from './timeline.ts';
import { TradeHistory } from './trade-history.ts';

/** How much of the past is kept of each account; what is older goes first. */
export interface Retention {
  /** Ended orders with executions, and as many without. */
  readonly orders: number;
  readonly trades: number;
}

/** Trades of one order, or of one position. */
export interface TradesOf {
  readonly orderId?: number | undefined;
  readonly positionId?: number | undefined;
}

/** How long an order without executions is kept after its end. */
const UNEXECUTED_US = US_PER_DAY;

/** The orders of one account with what became of them, and its trades. */
export class AccountHistory {
  readonly #retention: Retention;
  readonly #orders = new Map<number, KeptOrder>();
  /** Orders that can still execute or be canceled, oldest first. */
  readonly #active = new Map<string, KeptOrder>();
  /** The newest order of each client order id, which leads to the older ones. */
  readonly #named = new Map<string, KeptOrder>();
  readonly #shelves = new Shelves<KeptOrder>(() => new OrderSeries());
  /** Ended orders in the order in which they ended. */
  readonly #executed = new Timeline<KeptOrder>(endedAt);
  readonly #unexecuted = new Timeline<KeptOrder>(endedAt);
  readonly #trades: TradeHistory;

  constructor(retention: Retention) {
    this.#retention = retention;
    this.#trades = new TradeHistory(retention.trades);
  }

  /** How many orders are kept, active ones included, and how many trades. */
  get size(): { readonly orders: number; readonly trades: number } {
    return { orders: this.#orders.size, trades: this.#trades.length };
  }

  /** The active orders, oldest first. */
  get active(): readonly OrderRecord[] {
    return Array.from(this.#active.values(), ({ record }) => record);
  }

  /** The active order of a client order id. */
  activeOrder(clientOrderId: string): OrderRecord | undefined {
    return this.#active.get(clientOrderId)?.record;
  }

  order(id: number): OrderRecord | undefined {
    return this.#orders.get(id)?.record;
  }

  /** The orders that have or had a client order id, newest first. */
  *named(clientOrderId: string): Generator<OrderRecord, void, undefined> {
    for (let order = this.#named.get(clientOrderId); order !== undefined; order = order.older) {
      yield order.record;
    }
  }

  /** A page of the orders, active ones included, by number or by the time of their creation. */
  orders(query: HistoryQuery): readonly OrderRecord[] {
    const byId = query.page.by === 'id';
    return this.#shelves
      .page(query, ({ id, record }) => (byId ? id : record.createdAt))
      .map(({ record }) => record);
  }

  /** The trades of an order, oldest first. */
  tradesOf(orderId: number): readonly TradeRecord[] {
    return this.#trades.ofOrder(orderId);
  }

  /** A page of the trades. */
  trades(query: HistoryQuery, of: TradesOf = {}): readonly TradeRecord[] {
    return this.#trades.page(query, of);
  }

  /** Takes a report in. */
  keep({ at, order, trade }: OrderReport): void {
    let kept = this.#orders.get(order.id);
    if (kept === undefined) kept = this.#open(order);
    else kept.record = order;
    if (!isActive(order.status)) this.#end(kept);
    if (trade !== undefined) this.#trades.keep(trade);
    this.forget(at);
  }

  /** Forgets what has been kept for long enough. */
  forget(now: Micros): void {
    const most = this.#retention.orders;
    const unexecuted = this.#unexecuted;
    for (let order = unexecuted.first; order !== undefined; order = unexecuted.first) {
      if (unexecuted.length <= most && order.record.updatedAt > now - UNEXECUTED_US) break;
      this.#drop(order, unexecuted);
    }
    const executed = this.#executed;
    for (let order = executed.first; order !== undefined; order = executed.first) {
      if (executed.length <= most) break;
      this.#drop(order, executed);
    }
  }

  #open(record: OrderRecord): KeptOrder {
    const { id, clientOrderId, originalClientOrderId, market, symbol } = record;
    // The order that it replaces ends without a report of its own.
    const replaced =
      originalClientOrderId === undefined ? undefined : this.#active.get(originalClientOrderId);
    if (replaced !== undefined) {
      replaced.record = { ...replaced.record, status: 'canceled', updatedAt: record.updatedAt };
      this.#end(replaced);
    }
    const older = this.#named.get(clientOrderId);
    const kept: KeptOrder = { id, record, older, newer: undefined };
    if (older !== undefined) older.newer = kept;
    this.#named.set(clientOrderId, kept);
    this.#orders.set(id, kept);
    this.#active.set(clientOrderId, kept);
    this.#shelves.add(kept, market, symbol);
    return kept;
  }

  #end(kept: KeptOrder): void {
    this.#active.delete(kept.record.clientOrderId);
    (kept.record.executedLots > 0 ? this.#executed : this.#unexecuted).add(kept);
  }

  #drop(kept: KeptOrder, from: Timeline<KeptOrder>): void {
    const { older, newer, record } = kept;
    from.remove(kept);
    this.#shelves.remove(kept, record.market, record.symbol);
    this.#orders.delete(kept.id);
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    else if (older !== undefined) this.#named.set(record.clientOrderId, older);
    else this.#named.delete(record.clientOrderId);
  }
}

/** An ended order does not change any more. */
const endedAt = ({ record }: KeptOrder): number => record.updatedAt;
