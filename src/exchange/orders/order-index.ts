import type { OrderStatus } from '../../model/order.ts';
import type { Fees } from '../ledger/fees.ts';
import { grown } from '../queues/grown.ts';
import { ClientOrderIds } from './client-order-ids.ts';
import { Expiries } from './expiries.ts';
import { NONE as NO_ORDER, type OrderOpening, type Orders } from './orders.ts';
import { FIELD } from './record.ts';

/** V8 inlines constants of this file and reads imported ones at each use. */
const NONE = NO_ORDER;
const NEVER = Number.POSITIVE_INFINITY;
const { ACCOUNT, INSTRUMENT, FEE_SCHEDULE, NEXT } = FIELD;
const { ACCOUNT_NEXT, ACCOUNT_PREVIOUS, EXPIRY_PLACE } = FIELD;

/** Most ended orders that one operation frees, so that none causes a pause. */
const SWEEP = 4;

/** Fields of an account: the first and last of its active orders, and their number. */
const FIRST = 0;
const LAST = 1;
const ACTIVE = 2;
const FIELDS = 4;
/** Bits of a field's index below the account. */
const FIELD_BITS = 2;

/**
 * Finds orders by client order id, by account and by time of expiry. An id stays taken for a while
 * after its order has ended; the record does not.
 */
export class OrderIndex {
  declare readonly expiries: Expiries;
  declare private readonly orders: Orders;
  declare private readonly names: ClientOrderIds;
  declare private readonly instruments: number;
  declare private readonly holdUs: number;
  /** Released when an order ends; undefined if all orders pay alike. */
  declare private readonly fees: Fees | undefined;
  #accounts = emptyFields(16);
  /** Number of an account's active orders on each instrument. */
  declare private activeOn: Int32Array<ArrayBuffer>;
  /** First of the ended orders whose records are not freed yet, oldest first. */
  #endedFirst = NONE;
  #endedLast = NONE;

  constructor(orders: Orders, instruments: number, holdUs: number, fees?: Fees) {
    this.fees = fees;
    this.orders = orders;
    this.names = new ClientOrderIds(orders);
    this.instruments = instruments;
    this.holdUs = holdUs;
    this.expiries = new Expiries(orders);
    this.activeOn = new Int32Array(16 * instruments);
  }

  /** Makes room for accounts 0 to `count` - 1. */
  grow(count: number): void {
    while (this.#accounts.length < FIELDS * count) {
      const accounts = emptyFields((2 * this.#accounts.length) / FIELDS);
      accounts.set(this.#accounts);
      this.#accounts = accounts;
      this.activeOn = grown(this.activeOn);
    }
  }

  /**
   * The order with that id, active or just ended; HELD if it is still taken, NONE if it is free and
   * MALFORMED if it is invalid.
   */
  find(account: number, clientOrderId: unknown): number {
    return this.names.find(account, clientOrderId);
  }

  /**
   * Same as `find` for the id of a new order. After many ends at once a record may outlive the hold
   * of its id; then all ended records are freed first.
   */
  claim(account: number, clientOrderId: unknown): number {
    const found = this.names.find(account, clientOrderId);
    return found < 0 ? found : this.#claimed(found, account, clientOrderId);
  }

  #claimed(found: number, account: number, clientOrderId: unknown): number {
    const orders = this.orders;
    if (orders.active(found) || orders.updatedAt(found) > this.names.until) return found;
    this.#release(Number.POSITIVE_INFINITY);
    return this.find(account, clientOrderId);
  }

  /** The active order with that id, NONE if there is none. */
  active(account: number, clientOrderId: unknown): number {
    const order = this.names.order(account, clientOrderId);
    return order !== NONE && this.orders.active(order) ? order : NONE;
  }

  /** The first active order of an account; `accountNext` of each is the next, oldest first. */
  first(account: number): number {
    return this.#accounts[(account << FIELD_BITS) | FIRST];
  }

  /** The active orders of an account, optionally of one instrument, oldest first. */
  listed(account: number, instrument?: number): number[] {
    const orders = this.orders;
    const found: number[] = [];
    for (let order = this.first(account); order !== NONE; order = orders.accountNext(order)) {
      if (instrument === undefined || orders.instrument(order) === instrument) found.push(order);
    }
    return found;
  }

  activeCount(account: number): number {
    return this.#accounts[(account << FIELD_BITS) | ACTIVE];
  }

  activeCountOn(account: number, instrument: number): number {
    return this.activeOn[Math.imul(account, this.instruments) + instrument];
  }

  /** Opens the record of an order under its free id, as the last of its account. */
  open(opening: OrderOpening): number {
    const { account, instrument } = opening;
    const order = this.orders.open(opening);
    this.names.add(order, account, opening.clientOrderId);
    this.#link(order, account, instrument);
    if (opening.expireAt !== NEVER) this.expiries.add(order);
    return order;
  }

  /** True for a valid id that is free. */
  isVacant(account: number, clientOrderId: unknown): boolean {
    return this.names.isVacant(account, clientOrderId);
  }

  /** Same as `open` for a plain order (Orders.openPlain) whose id was just found free. */
  openPlain(account: number, instrument: number, terms: number, clientOrderId: string): number {
    const order = this.orders.openPlain(account, instrument, terms, clientOrderId);
    this.names.enter(order);
    this.#link(order, account, instrument);
    return order;
  }

  /** Appends an order to the others of its account. */
  #link(order: number, account: number, instrument: number): void {
    const { integers } = this.orders;
    const accounts = this.#accounts;
    const fields = account << FIELD_BITS;
    const last = accounts[fields | LAST];
    if (last === NONE) accounts[fields | FIRST] = order;
    else integers[(last << 5) | ACCOUNT_NEXT] = order;
    integers[(order << 5) | ACCOUNT_PREVIOUS] = last;
    accounts[fields | LAST] = order;
    accounts[fields | ACTIVE] += 1;
    this.activeOn[Math.imul(account, this.instruments) + instrument] += 1;
  }

  /** Ends an order that rests nowhere and removes it from its account's active orders. */
  end(order: number, status: OrderStatus, at: number): void {
    this.orders.end(order, status, at);
    this.retire(order);
  }

  /** Same as `end` for an order whose record has its end status and time already. */
  retire(order: number): void {
    const { integers } = this.orders;
    const accounts = this.#accounts;
    const i = order << 5;
    const account = integers[i | ACCOUNT];
    const fields = account << FIELD_BITS;
    const next = integers[i | ACCOUNT_NEXT];
    const previous = integers[i | ACCOUNT_PREVIOUS];
    if (previous === NONE) accounts[fields | FIRST] = next;
    else integers[(previous << 5) | ACCOUNT_NEXT] = next;
    if (next === NONE) accounts[fields | LAST] = previous;
    else integers[(next << 5) | ACCOUNT_PREVIOUS] = previous;
    accounts[fields | ACTIVE] -= 1;
    this.activeOn[Math.imul(account, this.instruments) + integers[i | INSTRUMENT]] -= 1;
    if (integers[i | EXPIRY_PLACE] !== NONE) this.expiries.remove(order);
    integers[i | NEXT] = NONE;
    if (this.#endedLast === NONE) this.#endedFirst = order;
    else integers[(this.#endedLast << 5) | NEXT] = order;
    this.#endedLast = order;
  }

  /**
   * Frees the records of a few ended orders, whose ids are held from then on, and the ids of orders
   * that ended long enough ago.
   */
  sweep(at: number): void {
    this.names.clear(at - this.holdUs);
    if (this.#endedFirst !== NONE) this.#release(SWEEP);
  }

  /**
   * Frees the record of an order that just ended and is fully reported, while it is cached. Not if
   * others wait before it, as ids are held in the order in which orders end.
   */
  clearAway(order: number): void {
    if (this.#endedFirst !== order) return;
    this.#endedFirst = NONE;
    this.#endedLast = NONE;
    this.#giveBack(order);
  }

  #release(most: number): void {
    const { integers } = this.orders;
    let order = this.#endedFirst;
    for (let count = 0; count < most && order !== NONE; count += 1) {
      const next = integers[(order << 5) | NEXT];
      this.#giveBack(order);
      order = next;
    }
    this.#endedFirst = order;
    if (order === NONE) this.#endedLast = NONE;
  }

  #giveBack(order: number): void {
    const orders = this.orders;
    this.names.hold(order);
    const feeSchedule = orders.integers[(order << 5) | FEE_SCHEDULE];
    if (feeSchedule >= this.instruments) this.fees?.release(feeSchedule);
    orders.release(order);
  }
}

/** Empty fields for `count` accounts. */
function emptyFields(count: number): Int32Array<ArrayBuffer> {
  const accounts = new Int32Array(FIELDS * count);
  for (let fields = 0; fields < accounts.length; fields += FIELDS) {
    accounts[fields | FIRST] = NONE;
    accounts[fields | LAST] = NONE;
  }
  return accounts;
}
