import {
  ORDER_TYPES,
  TIMES_IN_FORCE,
  type OrderStatus,
  type OrderType,
  type TimeInForce,
} from '../model/order.ts';

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
  /** How it is traded on margin (margin/flags.ts), 0 for a spot order. */
  readonly margin: number;
  /** Number of the tariff by which it pays; that of its instrument where absent. */
  readonly tariff?: number;
  readonly lots: number;
  /** What the order that it replaces has executed; counts to its lots. */
  readonly executed: number;
  /** 0 for types without a limit price. */
  readonly ticks: number;
  /** +Infinity for never. */
  readonly expireAt: number;
  readonly clientOrderId: string;
  readonly originalClientOrderId: string | undefined;
  readonly createdAt: number;
  readonly at: number;
}

const STATUSES = ['new', 'suspended', 'partiallyFilled', 'filled', 'canceled', 'expired'] as const;

/** A record is 16 doubles long; the first half is used as doubles, the second as 16 integers. */
const DOUBLES = 16;
const INTEGERS = 32;

const ID = 0;
const LOTS = 1;
const EXECUTED = 2;
const TICKS = 3;
const EXPIRE_AT = 4;
const CREATED_AT = 5;
const UPDATED_AT = 6;
const AHEAD_MARK = 7;

const ACCOUNT = 16;
const INSTRUMENT = 17;
const SIDE = 18;
/** The lowest bit is post-only, those above it are the margin flags. */
const FLAGS = 19;
const ACTIVE = 20;
const STATUS = 21;
const TYPE = 22;
const TIME_IN_FORCE = 23;
const LEVEL = 24;
const NEXT = 25;
const PREVIOUS = 26;
const ACCOUNT_NEXT = 27;
const ACCOUNT_PREVIOUS = 28;
const EXPIRY_PLACE = 29;
const NAME_HASH = 30;
const TARIFF = 31;

/**
 * The records of all orders, active or just ended: an order is the number of a slot. The fields
 * of one order lie side by side in one buffer, as an operation needs many fields of few orders. A
 * slot is taken again when its order has ended and the next request comes.
 */
export class Orders {
  /** Numbers given so far. */
  issued = 0;
  #doubles: Float64Array;
  #integers: Int32Array;
  /** Of resting orders, apart from the full record: the mark of the prints, when it came to rest. */
  #queue: Float64Array;
  #made = 0;
  #free = NONE;
  readonly #clientOrderId: string[] = [];
  /** Few orders have one, so they stand apart. */
  readonly #originalClientOrderId = new Map<number, string>();

  constructor(capacity: number) {
    this.#doubles = new Float64Array(DOUBLES * capacity);
    this.#integers = new Int32Array(this.#doubles.buffer);
    this.#queue = new Float64Array(2 * capacity);
  }

  /** Takes a slot for a new order, which gets the next number. */
  open(opening: OrderOpening): number {
    const order = this.#slot();
    this.issued += 1;
    const doubles = this.#doubles;
    const d = DOUBLES * order;
    doubles[d + ID] = this.issued;
    doubles[d + LOTS] = opening.lots;
    doubles[d + EXECUTED] = opening.executed;
    doubles[d + TICKS] = opening.ticks;
    doubles[d + EXPIRE_AT] = opening.expireAt;
    doubles[d + CREATED_AT] = opening.createdAt;
    doubles[d + UPDATED_AT] = opening.at;
    doubles[d + AHEAD_MARK] = 0;
    const integers = this.#integers;
    const i = INTEGERS * order;
    integers[i + ACCOUNT] = opening.account;
    integers[i + INSTRUMENT] = opening.instrument;
    integers[i + SIDE] = opening.side;
    integers[i + FLAGS] = 2 * opening.margin + (opening.postOnly ? 1 : 0);
    integers[i + ACTIVE] = 1;
    integers[i + STATUS] = opening.executed > 0 ? 2 : 0;
    integers[i + TYPE] = ORDER_TYPES.indexOf(opening.type);
    integers[i + TIME_IN_FORCE] = TIMES_IN_FORCE.indexOf(opening.timeInForce);
    integers[i + LEVEL] = NONE;
    integers[i + NEXT] = NONE;
    integers[i + PREVIOUS] = NONE;
    integers[i + ACCOUNT_NEXT] = NONE;
    integers[i + ACCOUNT_PREVIOUS] = NONE;
    integers[i + EXPIRY_PLACE] = NONE;
    integers[i + TARIFF] = opening.tariff ?? opening.instrument;
    this.#clientOrderId[order] = opening.clientOrderId;
    if (opening.originalClientOrderId !== undefined) {
      this.#originalClientOrderId.set(order, opening.originalClientOrderId);
    }
    return order;
  }

  /** Gives the slot of an ended order back. */
  release(order: number): void {
    if (this.#originalClientOrderId.size > 0) this.#originalClientOrderId.delete(order);
    this.setNext(order, this.#free);
    this.#free = order;
  }

  /** Gives an order without a quantity the one that it has now that it executes. */
  setLots(order: number, lots: number): void {
    this.#doubles[DOUBLES * order + LOTS] = lots;
  }

  /** Adds to what is executed. */
  execute(order: number, lots: number, at: number): void {
    const doubles = this.#doubles;
    const d = DOUBLES * order;
    const executed = doubles[d + EXECUTED] + lots;
    doubles[d + EXECUTED] = executed;
    doubles[d + UPDATED_AT] = at;
    this.#integers[INTEGERS * order + STATUS] = executed === doubles[d + LOTS] ? 3 : 2;
  }

  /** Changes the status of an order that stays active. */
  setStatus(order: number, status: 'new' | 'suspended', at: number): void {
    this.#doubles[DOUBLES * order + UPDATED_AT] = at;
    this.#integers[INTEGERS * order + STATUS] = STATUSES.indexOf(status);
  }

  /** Makes an order inactive. */
  end(order: number, status: OrderStatus, at: number): void {
    this.#doubles[DOUBLES * order + UPDATED_AT] = at;
    this.#integers[INTEGERS * order + STATUS] = STATUSES.indexOf(status);
    this.#integers[INTEGERS * order + ACTIVE] = 0;
  }

  /** Number given by the exchange, rising. */
  id(order: number): number {
    return this.#doubles[DOUBLES * order + ID];
  }

  clientOrderId(order: number): string {
    return this.#clientOrderId[order];
  }

  /** The client order id that this order replaced. */
  originalClientOrderId(order: number): string | undefined {
    return this.#originalClientOrderId.get(order);
  }

  account(order: number): number {
    return this.#integers[INTEGERS * order + ACCOUNT];
  }

  instrument(order: number): number {
    return this.#integers[INTEGERS * order + INSTRUMENT];
  }

  /** Number of the tariff by which it pays. */
  tariff(order: number): number {
    return this.#integers[INTEGERS * order + TARIFF];
  }

  side(order: number): number {
    return this.#integers[INTEGERS * order + SIDE];
  }

  type(order: number): OrderType {
    return ORDER_TYPES[this.#integers[INTEGERS * order + TYPE]];
  }

  timeInForce(order: number): TimeInForce {
    return TIMES_IN_FORCE[this.#integers[INTEGERS * order + TIME_IN_FORCE]];
  }

  status(order: number): OrderStatus {
    return STATUSES[this.#integers[INTEGERS * order + STATUS]];
  }

  postOnly(order: number): boolean {
    return (this.#integers[INTEGERS * order + FLAGS] & 1) === 1;
  }

  /** How it is traded on margin (margin/flags.ts), 0 for a spot order. */
  margin(order: number): number {
    return this.#integers[INTEGERS * order + FLAGS] >> 1;
  }

  /** True while it can still execute. */
  active(order: number): boolean {
    return this.#integers[INTEGERS * order + ACTIVE] === 1;
  }

  lots(order: number): number {
    return this.#doubles[DOUBLES * order + LOTS];
  }

  executed(order: number): number {
    return this.#doubles[DOUBLES * order + EXECUTED];
  }

  /** Lots that are not executed yet. */
  left(order: number): number {
    const d = DOUBLES * order;
    return this.#doubles[d + LOTS] - this.#doubles[d + EXECUTED];
  }

  /** Limit price, 0 for orders without one. */
  ticks(order: number): number {
    return this.#doubles[DOUBLES * order + TICKS];
  }

  /** When it expires, +Infinity for never. */
  expireAt(order: number): number {
    return this.#doubles[DOUBLES * order + EXPIRE_AT];
  }

  createdAt(order: number): number {
    return this.#doubles[DOUBLES * order + CREATED_AT];
  }

  updatedAt(order: number): number {
    return this.#doubles[DOUBLES * order + UPDATED_AT];
  }

  /** Tape lots before it in the queue by the display, counted from the beginning of its level. */
  aheadMark(order: number): number {
    return this.#doubles[DOUBLES * order + AHEAD_MARK];
  }

  setAheadMark(order: number, mark: number): void {
    this.#doubles[DOUBLES * order + AHEAD_MARK] = mark;
  }

  /** Tape lots that may be printed before it, counted from the beginning of its level. */
  printMark(order: number): number {
    return this.#queue[2 * order];
  }

  setPrintMark(order: number, mark: number): void {
    this.#queue[2 * order] = mark;
  }

  /** When it came to rest. */
  restedAt(order: number): number {
    return this.#queue[2 * order + 1];
  }

  setRestedAt(order: number, at: number): void {
    this.#queue[2 * order + 1] = at;
  }

  /** The level where it rests. */
  level(order: number): number {
    return this.#integers[INTEGERS * order + LEVEL];
  }

  setLevel(order: number, level: number): void {
    this.#integers[INTEGERS * order + LEVEL] = level;
  }

  /** The order behind it in its queue; links ended and free slots too. */
  next(order: number): number {
    return this.#integers[INTEGERS * order + NEXT];
  }

  setNext(order: number, next: number): void {
    this.#integers[INTEGERS * order + NEXT] = next;
  }

  /** The order before it in its queue. */
  previous(order: number): number {
    return this.#integers[INTEGERS * order + PREVIOUS];
  }

  setPrevious(order: number, previous: number): void {
    this.#integers[INTEGERS * order + PREVIOUS] = previous;
  }

  /** The next younger active order of its account. */
  accountNext(order: number): number {
    return this.#integers[INTEGERS * order + ACCOUNT_NEXT];
  }

  setAccountNext(order: number, next: number): void {
    this.#integers[INTEGERS * order + ACCOUNT_NEXT] = next;
  }

  /** The next older active order of its account. */
  accountPrevious(order: number): number {
    return this.#integers[INTEGERS * order + ACCOUNT_PREVIOUS];
  }

  setAccountPrevious(order: number, previous: number): void {
    this.#integers[INTEGERS * order + ACCOUNT_PREVIOUS] = previous;
  }

  /** Place in the heap of expiries. */
  expiryPlace(order: number): number {
    return this.#integers[INTEGERS * order + EXPIRY_PLACE];
  }

  setExpiryPlace(order: number, place: number): void {
    this.#integers[INTEGERS * order + EXPIRY_PLACE] = place;
  }

  /** Hash of account and client order id. */
  nameHash(order: number): number {
    return this.#integers[INTEGERS * order + NAME_HASH];
  }

  setNameHash(order: number, hash: number): void {
    this.#integers[INTEGERS * order + NAME_HASH] = hash;
  }

  #slot(): number {
    if (this.#free !== NONE) {
      const order = this.#free;
      this.#free = this.next(order);
      return order;
    }
    if (DOUBLES * this.#made === this.#doubles.length) {
      const doubles = new Float64Array(2 * this.#doubles.length);
      doubles.set(this.#doubles);
      this.#doubles = doubles;
      this.#integers = new Int32Array(doubles.buffer);
      const queue = new Float64Array(2 * this.#queue.length);
      queue.set(this.#queue);
      this.#queue = queue;
    }
    return this.#made++;
  }
}
