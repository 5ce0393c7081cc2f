import type { Order } from '../../model/order.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import type { OrderStore } from './order-store.ts';
import type { OwnList } from './own-list.ts';

/** Orders of one strategy in the store of its account. */
export class StrategyOrders {
  /** Name of the strategy. */
  readonly strategy: string;
  readonly #store: OrderStore;
  readonly #symbols: ReadonlySet<string> | undefined;
  /** The open ones of the last call, and the store's open ones that they were taken from. */
  #open: readonly Order[] = [];
  #openOf: readonly Order[] | undefined;

  /** `symbols` are those that it trades; all if absent. */
  constructor(store: OrderStore, strategy: string, symbols?: ReadonlySet<string>) {
    this.#store = store;
    this.strategy = strategy;
    this.#symbols = symbols;
  }

  /** Open orders, oldest first. */
  open(): readonly Order[] {
    const all = this.#store.open();
    if (all !== this.#openOf) {
      this.#openOf = all;
      const isOwn = (order: Order): boolean => this.has(order);
      this.#open = all.every(isOwn) ? all : all.filter(isOwn);
    }
    return this.#open;
  }

  /** An open order, or one that ended a short time ago. */
  find(clientOrderId: string): Order | undefined {
    const order = this.#store.inMemory(clientOrderId);
    return order !== undefined && this.has(order) ? order : undefined;
  }

  /** True for an order of this strategy. */
  has({ strategy, symbol }: Pick<Order, 'strategy' | 'symbol'>): boolean {
    return strategy === this.strategy && this.#symbols?.has(symbol) !== false;
  }

  /** True if an order of the account has the id, or had it a short time ago. */
  isTaken(clientOrderId: string): boolean {
    return this.#store.inMemory(clientOrderId) !== undefined;
  }

  /** The list of an order, also one that ended a short time ago. */
  listOf(order: Order): OwnList | undefined {
    return this.#store.listOf(order);
  }

  /** True if the first order was requested before the other. */
  isBefore(order: Order, other: Order): boolean {
    return this.#store.isBefore(order.clientOrderId, other.clientOrderId);
  }

  /** Records a request of the strategy; returns its new orders. */
  request(request: OrderRequest, managed: boolean, at: Micros): readonly Order[] {
    return this.#store.request(request, { strategy: this.strategy, managed, requestedAt: at });
  }

  /** Adds the reason of an order's end or rejection. */
  explain(clientOrderId: string, rejection: Rejection, at: Micros): Order | undefined {
    return this.#store.apply(clientOrderId, { kind: 'explained', rejection }, at);
  }

  /** Open plain orders, each list with all of its orders. */
  plain(): readonly Order[] {
    const lists = new Set<OwnList>();
    return this.open().flatMap((order) => {
      if (order.managed) return [];
      const list = this.listOf(order);
      if (list === undefined) return [order];
      if (lists.has(list)) return [];
      lists.add(list);
      return list.orders;
    });
  }
}
