import type { ContingencyType } from '../../model/order.ts';
import { NONE, type Orders } from './orders.ts';

/** Orders that belong together; maintained by `OrderLists`. */
export interface OrderList {
  /** Original client order id of its first order. */
  readonly id: string;
  readonly contingencyType: ContingencyType;
  readonly account: number;
  /** In list order; NONE for an ended order, the new order for a replaced one. */
  readonly members: number[];
  /** Which members are active: all but the secondaries of a primary that has not filled. */
  readonly active: boolean[];
  /** Legs that reserve funds: of those that exclude each other, one for each currency. */
  readonly holds: boolean[];
  /** True until the primary has filled. */
  waiting: boolean;
  /** True once a leg has filled in part. */
  decided: boolean;
  /** True while more than one leg rests in a book. */
  doubled: boolean;
}

/** Order lists with active orders, and the list of each order. */
export class OrderLists {
  /** Lists with more than one leg in a book, of which only one can fill. */
  doubled = 0;
  /** Active orders that belong to a list. */
  size = 0;
  declare private readonly orders: Orders;
  readonly #byOrder = new Map<number, OrderList>();
  readonly #byId = new Map<string, OrderList>();

  constructor(orders: Orders) {
    this.orders = orders;
  }

  /** The list of an order, undefined for a single order. */
  of(order: number): OrderList | undefined {
    return this.size === 0 ? undefined : this.#byOrder.get(order);
  }

  /** The list of a leg that excludes others, else undefined. */
  ofLeg(order: number): OrderList | undefined {
    const list = this.of(order);
    return list !== undefined && isLeg(list, list.members.indexOf(order)) ? list : undefined;
  }

  /** True if a list of that id has active orders. */
  has(account: number, id: string): boolean {
    return this.#byId.has(`${account} ${id}`);
  }

  /** True for a secondary whose primary has not filled yet. */
  isInactive(order: number): boolean {
    const list = this.of(order);
    return list !== undefined && !list.active[list.members.indexOf(order)];
  }

  open(account: number, id: string, contingencyType: ContingencyType, orders: number[]): OrderList {
    const waiting = contingencyType !== 'allOrNone' && contingencyType !== 'oneCancelOther';
    const list: OrderList = {
      id,
      contingencyType,
      account,
      members: orders,
      active: orders.map((_, index) => !waiting || index === 0),
      holds: orders.map(() => false),
      waiting,
      decided: false,
      doubled: false,
    };
    for (const order of orders) this.#byOrder.set(order, list);
    this.size = this.#byOrder.size;
    this.#byId.set(`${account} ${id}`, list);
    return list;
  }

  /** Replaces an order of a list by another. */
  replace(old: number, order: number): void {
    const list = this.of(old);
    if (list === undefined) return;
    this.#byOrder.delete(old);
    this.#byOrder.set(order, list);
    list.members[list.members.indexOf(old)] = order;
    this.recount(list);
  }

  /** Removes an ended order from its list, and the list with its last order. */
  leave(order: number, list: OrderList): void {
    this.#byOrder.delete(order);
    this.size = this.#byOrder.size;
    list.members[list.members.indexOf(order)] = NONE;
    this.recount(list);
    if (list.members.every((member) => member === NONE)) {
      this.#byId.delete(`${list.account} ${list.id}`);
    }
  }

  /** Counts the legs that rest in the book. */
  recount(list: OrderList): void {
    const orders = this.orders;
    let resting = 0;
    for (const order of legs(list)) {
      if (orders.status(order) !== 'suspended' && orders.level(order) !== NONE) resting += 1;
    }
    const doubled = resting > 1;
    if (doubled !== list.doubled) this.doubled += doubled ? 1 : -1;
    list.doubled = doubled;
  }
}

/** True if the order at that index excludes others once it is active. */
export const isLeg = ({ contingencyType }: OrderList, index: number): boolean =>
  contingencyType === 'oneCancelOther' ||
  (contingencyType === 'oneTriggerOneCancelOther' && index > 0);

/** The legs that have not ended, in list order. */
export const legs = (list: OrderList): number[] =>
  list.members.filter((order, index) => order !== NONE && isLeg(list, index));
