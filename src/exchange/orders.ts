import type { OrderStatus, OrderType, TimeInForce } from '../model/order.ts';

/** No order, no level. */
export const NONE = -1;

/** What opens an order; the rest of its record begins empty. */
export interface OrderOpening {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly lots: number;
  /** 0 for types without a limit price. */
  readonly ticks: number;
  /** +Infinity for never. */
  readonly expireAt: number;
  readonly clientOrderId: string;
  readonly at: number;
}

/**
 * The records of all orders, active or ended lately, as a struct of arrays: an order is the number
 * of a slot. A slot is taken again some time after its order has ended. Code outside the exchange
 * reads only.
 */
export class Orders {
  /** Numbers given so far. */
  issued = 0;
  #capacity: number;
  #made = 0;
  #free = NONE;

  id: Float64Array;
  account: Int32Array;
  instrument: Int32Array;
  side: Uint8Array;
  lots: Float64Array;
  executed: Float64Array;
  /** Limit price, 0 for orders without one. */
  ticks: Float64Array;
  expireAt: Float64Array;
  createdAt: Float64Array;
  updatedAt: Float64Array;
  /** Tape lots before it in the queue, counted from the level's mark. */
  aheadMark: Float64Array;
  postOnly: Uint8Array;
  /** 1 while it can still execute. */
  active: Uint8Array;
  /** The level where it rests, and its neighbours there; `next` links free and ended slots too. */
  level: Int32Array;
  next: Int32Array;
  previous: Int32Array;
  /** Neighbours among the active orders of its account. */
  accountNext: Int32Array;
  accountPrevious: Int32Array;
  /** Place in the heap of expiries. */
  expiryPlace: Int32Array;
  nameHash: Int32Array;
  readonly clientOrderId: string[] = [];
  readonly originalClientOrderId: (string | undefined)[] = [];
  readonly status: OrderStatus[] = [];
  readonly type: OrderType[] = [];
  readonly timeInForce: TimeInForce[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.id = new Float64Array(capacity);
    this.account = new Int32Array(capacity);
    this.instrument = new Int32Array(capacity);
    this.side = new Uint8Array(capacity);
    this.lots = new Float64Array(capacity);
    this.executed = new Float64Array(capacity);
    this.ticks = new Float64Array(capacity);
    this.expireAt = new Float64Array(capacity);
    this.createdAt = new Float64Array(capacity);
    this.updatedAt = new Float64Array(capacity);
    this.aheadMark = new Float64Array(capacity);
    this.postOnly = new Uint8Array(capacity);
    this.active = new Uint8Array(capacity);
    this.level = new Int32Array(capacity);
    this.next = new Int32Array(capacity);
    this.previous = new Int32Array(capacity);
    this.accountNext = new Int32Array(capacity);
    this.accountPrevious = new Int32Array(capacity);
    this.expiryPlace = new Int32Array(capacity);
    this.nameHash = new Int32Array(capacity);
  }

  /** Takes a slot for a new order, which gets the next number. */
  open(opening: OrderOpening): number {
    const order = this.#slot();
    this.issued += 1;
    this.id[order] = this.issued;
    this.account[order] = opening.account;
    this.instrument[order] = opening.instrument;
    this.side[order] = opening.side;
    this.lots[order] = opening.lots;
    this.executed[order] = 0;
    this.ticks[order] = opening.ticks;
    this.expireAt[order] = opening.expireAt;
    this.createdAt[order] = opening.at;
    this.updatedAt[order] = opening.at;
    this.aheadMark[order] = 0;
    this.postOnly[order] = opening.postOnly ? 1 : 0;
    this.active[order] = 1;
    this.level[order] = NONE;
    this.next[order] = NONE;
    this.previous[order] = NONE;
    this.accountNext[order] = NONE;
    this.accountPrevious[order] = NONE;
    this.expiryPlace[order] = NONE;
    this.clientOrderId[order] = opening.clientOrderId;
    this.originalClientOrderId[order] = undefined;
    this.status[order] = 'new';
    this.type[order] = opening.type;
    this.timeInForce[order] = opening.timeInForce;
    return order;
  }

  /** Lots that are not executed yet. */
  left(order: number): number {
    return this.lots[order] - this.executed[order];
  }

  /** Gives the slot of an ended order back. */
  release(order: number): void {
    this.clientOrderId[order] = '';
    this.originalClientOrderId[order] = undefined;
    this.next[order] = this.#free;
    this.#free = order;
  }

  #slot(): number {
    if (this.#free !== NONE) {
      const order = this.#free;
      this.#free = this.next[order];
      return order;
    }
    if (this.#made === this.#capacity) this.#grow();
    return this.#made++;
  }

  #grow(): void {
    const capacity = 2 * this.#capacity;
    this.#capacity = capacity;
    this.id = doubles(this.id, capacity);
    this.account = integers(this.account, capacity);
    this.instrument = integers(this.instrument, capacity);
    this.side = bytes(this.side, capacity);
    this.lots = doubles(this.lots, capacity);
    this.executed = doubles(this.executed, capacity);
    this.ticks = doubles(this.ticks, capacity);
    this.expireAt = doubles(this.expireAt, capacity);
    this.createdAt = doubles(this.createdAt, capacity);
    this.updatedAt = doubles(this.updatedAt, capacity);
    this.aheadMark = doubles(this.aheadMark, capacity);
    this.postOnly = bytes(this.postOnly, capacity);
    this.active = bytes(this.active, capacity);
    this.level = integers(this.level, capacity);
    this.next = integers(this.next, capacity);
    this.previous = integers(this.previous, capacity);
    this.accountNext = integers(this.accountNext, capacity);
    this.accountPrevious = integers(this.accountPrevious, capacity);
    this.expiryPlace = integers(this.expiryPlace, capacity);
    this.nameHash = integers(this.nameHash, capacity);
  }
}

function doubles(old: Float64Array, capacity: number): Float64Array {
  const grown = new Float64Array(capacity);
  grown.set(old);
  return grown;
}

function integers(old: Int32Array, capacity: number): Int32Array {
  const grown = new Int32Array(capacity);
  grown.set(old);
  return grown;
}

function bytes(old: Uint8Array, capacity: number): Uint8Array {
  const grown = new Uint8Array(capacity);
  grown.set(old);
  return grown;
}
