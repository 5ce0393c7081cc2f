import type { NewOrder } from '../../model/order.ts';
import type { OrderChange } from '../../rules/order-change.ts';
import type { Matching } from './match.ts';
import type { Fees } from '../ledger/fees.ts';
import type { Life } from './lifecycle.ts';
import type { Holdings } from './reserve.ts';
import type { OrderLists, OrderList } from '../orders/lists.ts';
import type { OrderOpening } from '../orders/order-opening.ts';
import type { Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import type { NewList } from './validate-list.ts';
import { Opening, succession } from './opening.ts';

/** Opens the records of the orders that were let in. */
export class Entry {
  declare private readonly orders: Orders;
  declare private readonly stops: StopPrices;
  declare private readonly register: OrderIndex;
  declare private readonly lists: OrderLists;
  declare private readonly fees: Fees;
  declare private readonly holdings: Holdings;
  declare private readonly life: Life;
  declare private readonly matching: Matching;
  readonly #opening = new Opening();

  constructor(setup: {
    readonly orders: Orders;
    readonly stops: StopPrices;
    readonly register: OrderIndex;
    readonly lists: OrderLists;
    readonly fees: Fees;
    readonly holdings: Holdings;
    readonly life: Life;
    readonly matching: Matching;
  }) {
    this.orders = setup.orders;
    this.stops = setup.stops;
    this.register = setup.register;
    this.lists = setup.lists;
    this.fees = setup.fees;
    this.holdings = setup.holdings;
    this.life = setup.life;
    this.matching = setup.matching;
  }

  /** The record of a new order; `suspended` where it waits for its stop price. */
  order(account: number, instrument: number, order: NewOrder): number {
    this.#opening.fill(account, instrument, order, this.matching.now, this.fees);
    return this.#open(this.#opening, order.stopTicks ?? 0, order.stopTicks !== undefined);
  }

  /** The records of the orders of a list; `suspended` too where they wait for the first. */
  list(account: number, instruments: readonly number[], list: NewList): OrderList {
    const { contingencyType, orders } = list;
    const triggers = contingencyType.startsWith('oneTrigger');
    const slots = orders.map((order, index) => {
      this.#opening.fill(account, instruments[index], order, this.matching.now, this.fees);
      const { stopTicks } = order;
      const isSuspended = stopTicks !== undefined || (triggers && index > 0);
      return this.#open(this.#opening, stopTicks ?? 0, isSuspended);
    });
    return this.lists.open(account, orders[0].clientOrderId, contingencyType, slots);
  }

  /** Puts a new order in the place of an active one, with nothing held or executed yet. */
  successor(old: number, change: OrderChange): number {
    const orders = this.orders;
    const at = this.matching.now;
    const suspended = orders.status(old) === 'suspended';
    this.life.leave(old);
    this.holdings.release(old);
    this.register.end(old, 'canceled', at);
    const terms = succession(orders, old, change, at, this.fees);
    const slot = this.#open(terms, change.stopTicks ?? this.stops.ticks(old), suspended);
    this.lists.replace(old, slot);
    return slot;
  }

  #open(terms: OrderOpening, stopTicks: number, suspended: boolean): number {
    const slot = this.register.open(terms);
    if (stopTicks !== 0) this.stops.set(slot, stopTicks);
    if (suspended) this.orders.setStatus(slot, 'suspended', terms.at);
    return slot;
  }
}
