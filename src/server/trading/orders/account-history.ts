import { isActive } from '../../../model/order.ts';
import { US_PER_DAY, type Micros } from '../../../platform/time.ts';
import { positionsOf } from '../margin/trade-margin.ts';
import type { OrderRecord, OrderReport, TradeRecord } from './order-record.ts';
import { OrderSeries, OrderIndexes, type HistoryQuery, type StoredOrder } from './series.ts';
import { OrderedHistory } from './ordered-history.ts';
import { pageOfTrades, TradeHistory } from './trade-history.ts';

/** Limits of the history per account; the oldest is dropped first. */
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

/** The orders of one account with their reports, and its trades. */
export class AccountHistory {
  readonly #retention: Retention;
  /** Orders that can still execute or be canceled, oldest first. */
  readonly #active = new Map<number, StoredOrder>();
  /** Newest order per client order id; it links to earlier ones. Only the newest can be active. */
  readonly #byClientOrderId = new Map<string, StoredOrder>();
  readonly #indexes = new OrderIndexes<StoredOrder>(() => new OrderSeries());
  /** Ended orders in the order in which they ended. */
  readonly #executed = new OrderedHistory<StoredOrder>(endedAt);
  readonly #unexecuted = new OrderedHistory<StoredOrder>(endedAt);
  readonly #trades: TradeHistory;

  constructor(retention: Retention) {
    this.#retention = retention;
    this.#trades = new TradeHistory(retention.trades);
  }

  /** Number of stored orders, active ones included, of client order ids, and of trades. */
  get size(): { readonly orders: number; readonly names: number; readonly trades: number } {
    return {
      orders: this.#indexes.length,
      names: this.#byClientOrderId.size,
      trades: this.#trades.length,
    };
  }

  /** The active orders, oldest first. */
  get active(): readonly OrderRecord[] {
    return Array.from(this.#active.values(), ({ record }) => record);
  }

  /** An active order by its number. */
  activeOrder(id: number): OrderRecord | undefined {
    return this.#active.get(id)?.record;
  }

  /** The active order of a client order id. */
  activeByClientOrderId(clientOrderId: string): OrderRecord | undefined {
    const newest = this.#byClientOrderId.get(clientOrderId);
    return newest === undefined ? undefined : this.#active.get(newest.id)?.record;
  }

  /** An order by its number, active or ended. */
  order(id: number): OrderRecord | undefined {
    return this.#find(id)?.record;
  }

  /** The orders that have or had a client order id, newest first. */
  *byClientOrderId(clientOrderId: string): Generator<OrderRecord, void, undefined> {
    for (
      let order = this.#byClientOrderId.get(clientOrderId);
      order !== undefined;
      order = order.older
    ) {
      yield order.record;
    }
  }

  /** A page of the orders, active ones included, by id or by creation time. */
  orders(query: HistoryQuery): readonly OrderRecord[] {
    const byId = query.page.by === 'id';
    return this.#indexes
      .page(query, ({ id, record }) => (byId ? id : record.createdAt))
      .map(({ record }) => record);
  }

  /** The trades of an order, oldest first. */
  tradesOf(orderId: number): readonly TradeRecord[] {
    return this.#find(orderId)?.trades ?? [];
  }

  /** A page of the trades. */
  trades(query: HistoryQuery, { orderId, positionId }: TradesOf = {}): readonly TradeRecord[] {
    if (orderId !== undefined) {
      const trades = this.tradesOf(orderId).filter(
        (trade) => positionId === undefined || positionsOf(trade).includes(positionId),
      );
      return pageOfTrades(trades, query);
    }
    if (positionId !== undefined) return pageOfTrades(this.#trades.ofPosition(positionId), query);
    return this.#trades.page(query);
  }

  /** Records a report. */
  record({ at, order, trade }: OrderReport): void {
    let kept = this.#active.get(order.id);
    if (kept === undefined) kept = this.#open(order);
    else kept.record = order;
    if (trade !== undefined) this.#keepTrade(kept, trade);
    if (!isActive(order.status)) this.#end(kept);
    this.prune(at);
  }

  /** Drops records beyond their retention. */
  prune(now: Micros): void {
    const most = this.#retention.orders;
    const unexecuted = this.#unexecuted;
    for (let order = unexecuted.first; order !== undefined; order = unexecuted.first) {
      if (unexecuted.length <= most && order.record.updatedAt > now - UNEXECUTED_US) break;
      this.#evict(order, unexecuted);
    }
    const executed = this.#executed;
    for (let order = executed.first; order !== undefined; order = executed.first) {
      if (executed.length <= most) break;
      this.#evict(order, executed);
    }
  }

  #find(id: number): StoredOrder | undefined {
    return this.#active.get(id) ?? this.#indexes.find(id);
  }

  #keepTrade(order: StoredOrder, trade: TradeRecord): void {
    if (order.trades === undefined) order.trades = [trade];
    else order.trades.push(trade);
    // A dropped trade is dropped from its order too.
    const forgotten = this.#trades.record(trade);
    if (forgotten !== undefined) this.#find(forgotten.orderId)?.trades?.shift();
  }

  #open(record: OrderRecord): StoredOrder {
    const { id, clientOrderId, originalClientOrderId, market, symbol } = record;
    // The replaced order ends without a report of its own.
    const replaced =
      originalClientOrderId === undefined
        ? undefined
        : this.#byClientOrderId.get(originalClientOrderId);
    if (replaced !== undefined && this.#active.has(replaced.id)) {
      replaced.record = { ...replaced.record, status: 'canceled', updatedAt: record.updatedAt };
      this.#end(replaced);
    }
    const older = this.#byClientOrderId.get(clientOrderId);
    const kept: StoredOrder = { id, record, older, newer: undefined, trades: undefined };
    if (older !== undefined) older.newer = kept;
    this.#byClientOrderId.set(clientOrderId, kept);
    this.#active.set(id, kept);
    this.#indexes.add(kept, market, symbol);
    return kept;
  }

  #end(kept: StoredOrder): void {
    this.#active.delete(kept.id);
    (kept.record.filledLots > 0 ? this.#executed : this.#unexecuted).add(kept);
  }

  #evict(kept: StoredOrder, from: OrderedHistory<StoredOrder>): void {
    const { older, newer, record } = kept;
    from.remove(kept);
    this.#indexes.remove(kept, record.market, record.symbol);
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    else if (older !== undefined) this.#byClientOrderId.set(record.clientOrderId, older);
    else this.#byClientOrderId.delete(record.clientOrderId);
  }
}

/** An ended order does not change any more. */
const endedAt = ({ record }: StoredOrder): number => record.updatedAt;
