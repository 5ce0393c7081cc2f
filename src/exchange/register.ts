import type { OrderStatus } from '../model/order.ts';
import { Expiries } from './expiries.ts';
import type { Fees } from './fees.ts';
import { Names } from './names.ts';
import { NONE, type OrderOpening, type Orders } from './orders.ts';

/** Ended orders and held names that one operation clears away at most, so that none makes a pause. */
const SWEEP = 4;

/**
 * The orders by all ways in which they are looked for: by name, by account, by time of expiry. A
 * name stays taken for a while after its order has ended; the record does not.
 */
export class Register {
  readonly expiries: Expiries;
  readonly #orders: Orders;
  readonly #names: Names;
  readonly #instruments: number;
  readonly #holdUs: number;
  /** Who is told that an order has its tariff no more; none where all pay alike. */
  readonly #fees: Fees | undefined;
  /** Of each account: the first and last of its active orders, and how many there are. */
  #first = new Int32Array(16).fill(NONE);
  #last = new Int32Array(16).fill(NONE);
  #active = new Int32Array(16);
  /** The same count by account and instrument. */
  #activeOn: Int32Array;
  /** Ended orders whose records are not given back yet, oldest first. */
  #endedFirst = NONE;
  #endedLast = NONE;

  constructor(orders: Orders, instruments: number, holdUs: number, fees?: Fees) {
    this.#fees = fees;
    this.#orders = orders;
    this.#names = new Names(orders);
    this.#instruments = instruments;
    this.#holdUs = holdUs;
    this.expiries = new Expiries(orders);
    this.#activeOn = new Int32Array(16 * instruments);
  }

  /** Makes room for accounts 0 to `count` - 1. */
  grow(count: number): void {
    while (this.#first.length < count) {
      this.#first = doubled(this.#first, NONE);
      this.#last = doubled(this.#last, NONE);
      this.#active = doubled(this.#active, 0);
      this.#activeOn = doubled(this.#activeOn, 0);
    }
  }

  /** The order of that name, active or just ended; HELD when it is still taken, NONE when it is free. */
  find(account: number, clientOrderId: string): number {
    return this.#names.find(account, clientOrderId);
  }

  /** The active order of that name, NONE when there is none. */
  active(account: number, clientOrderId: unknown): number {
    if (typeof clientOrderId !== 'string') return NONE;
    const order = this.#names.find(account, clientOrderId);
    return order >= 0 && this.#orders.active(order) ? order : NONE;
  }

  /** The first active order of an account; `accountNext` of each leads to the next, oldest first. */
  first(account: number): number {
    return this.#first[account];
  }

  /** The active orders of an account, those of one instrument where it is named, oldest first. */
  listed(account: number, instrument?: number): number[] {
    const orders = this.#orders;
    const found: number[] = [];
    for (let order = this.first(account); order !== NONE; order = orders.accountNext(order)) {
      if (instrument === undefined || orders.instrument(order) === instrument) found.push(order);
    }
    return found;
  }

  activeCount(account: number): number {
    return this.#active[account];
  }

  activeCountOn(account: number, instrument: number): number {
    return this.#activeOn[account * this.#instruments + instrument];
  }

  /** Opens the record of an order under its name, which is free. */
  open(opening: OrderOpening): number {
    const { account, instrument } = opening;
    const orders = this.#orders;
    const order = orders.open(opening);
    this.#names.add(order);
    const last = this.#last[account];
    orders.setAccountPrevious(order, last);
    if (last === NONE) this.#first[account] = order;
    else orders.setAccountNext(last, order);
    this.#last[account] = order;
    this.#active[account] += 1;
    this.#activeOn[account * this.#instruments + instrument] += 1;
    if (opening.expireAt !== Number.POSITIVE_INFINITY) this.expiries.add(order);
    return order;
  }

  /** Ends an order that rests nowhere any more. */
  end(order: number, status: OrderStatus, at: number): void {
    const orders = this.#orders;
    const account = orders.account(order);
    orders.end(order, status, at);
    const next = orders.accountNext(order);
    const previous = orders.accountPrevious(order);
    if (previous === NONE) this.#first[account] = next;
    else orders.setAccountNext(previous, next);
    if (next === NONE) this.#last[account] = previous;
    else orders.setAccountPrevious(next, previous);
    this.#active[account] -= 1;
    this.#activeOn[account * this.#instruments + orders.instrument(order)] -= 1;
    this.expiries.remove(order);
    orders.setNext(order, NONE);
    if (this.#endedLast === NONE) this.#endedFirst = order;
    else orders.setNext(this.#endedLast, order);
    this.#endedLast = order;
  }

  /**
   * Gives back the records of ended orders, whose names are held from then on, and frees the names
   * of those that ended long enough ago, a few at a time.
   */
  sweep(at: number): void {
    const orders = this.#orders;
    for (let count = 0; count < SWEEP && this.#endedFirst !== NONE; count += 1) {
      const order = this.#endedFirst;
      this.#endedFirst = orders.next(order);
      this.#names.hold(order, orders.updatedAt(order));
      if (orders.tariff(order) >= this.#instruments) this.#fees?.leave(orders.tariff(order));
      orders.release(order);
    }
    if (this.#endedFirst === NONE) this.#endedLast = NONE;
    for (let count = 0; count < SWEEP && this.#names.free(at - this.#holdUs); count += 1);
  }
}

function doubled(old: Int32Array, empty: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(2 * old.length).fill(empty);
  grown.set(old);
  return grown;
}
