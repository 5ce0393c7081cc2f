import {
  hasPrice,
  ORDER_TYPES,
  type OrderStatus,
  type OrderType,
  type TimeInForce,
  TIMES_IN_FORCE,
} from '../../model/order.ts';
import { FIELD, STATUS_CODE, TERMS_BITS } from './record.ts';
import { SELL as SELL_SIDE } from './side.ts';

/** No order, no level. */
export const NONE = -1;

const STATUSES = ['new', 'suspended', 'partiallyFilled', 'filled', 'canceled', 'expired'] as const;
const { NEW, SUSPENDED, PARTIALLY_FILLED, FILLED, CANCELED } = STATUS_CODE;

const DOUBLES = 16;
const BYTES = 8 * DOUBLES;
/**
 * Start of the first record, in bytes. Large arrays usually begin 16 bytes into a cache line,
 * behind the allocator's header, so that a record from here is two whole lines.
 */
const START = 48;
const SELL = SELL_SIDE;

const { LOTS, REMAINING, TICKS, ID, UPDATED_AT, CREATED_AT } = FIELD;
const { EXPIRE_AT, AHEAD_MARK, PRINT_MARK, RESTED_AT } = FIELD;
const { ACCOUNT, INSTRUMENT, FEE_SCHEDULE, STATUS, LEVEL, NEXT, PREVIOUS } = FIELD;
const { ACCOUNT_NEXT, TERMS, NAME_HASH, EXPIRY_PLACE } = FIELD;

const { TYPE_BIT, TIME_IN_FORCE_BIT, POST_ONLY_BIT, MARGIN_BIT } = TERMS_BITS;
const CODE_MASK = 7;

/** Initial values of an order; the rest of its record is empty. */
export interface OrderOpening {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Margin flags (positions/flags.ts), 0 for a spot order. */
  readonly margin: number;
  /** Fee schedule id; the instrument's default if absent. */
  readonly feeSchedule?: number;
  readonly lots: number;
  /** Filled lots of the order that it replaces; part of its lots. */
  readonly filled: number;
  /** 0 for types without a limit price. */
  readonly ticks: number;
  /** +Infinity for never. */
  readonly expireAt: number;
  readonly clientOrderId: string;
  readonly originalClientOrderId: string | undefined;
  readonly createdAt: number;
  readonly at: number;
}

/**
 * Records of all orders, active or just ended: an order is the number of a slot. The fields of one
 * order are adjacent in one buffer, as an operation needs many fields of few orders. A slot is
 * reused after its order has ended and the next request comes.
 *
 * Field readers are so short that V8 always inlines them, which a multiplication by a constant of
 * this file would prevent; hence the shifts. The low bits of a record's start are zero, and an "or"
 * adds to them without a check for overflow.
 */
export class Orders {
  /** Number of ids issued so far. */
  issued = 0;
  /**
   * The records, for code that works on many fields of one (record.ts). Growth replaces them, so
   * they must not be kept.
   */
  declare doubles: Float64Array;
  declare integers: Int32Array;
  #made = 0;
  #free = NONE;
  readonly clientOrderIds: string[] = [];
  /** Separate, as few orders have one. */
  readonly #originalClientOrderId = new Map<number, string>();

  constructor(capacity: number) {
    this.#take(capacity);
  }

  /** Takes a slot for a new order, which gets the next id. */
  open(opening: OrderOpening): number {
    const { account, instrument, lots, filled, clientOrderId, at } = opening;
    const order = this.openPlain(account, instrument, termsOf(opening), clientOrderId);
    this.begin(order, opening.ticks, lots, at);
    const d = order << 4;
    this.doubles[d | CREATED_AT] = opening.createdAt;
    this.doubles[d | EXPIRE_AT] = opening.expireAt;
    if (opening.feeSchedule !== undefined)
      this.integers[(order << 5) | FEE_SCHEDULE] = opening.feeSchedule;
    if (filled > 0) {
      this.doubles[d | REMAINING] = lots - filled;
      this.integers[(order << 5) | STATUS] = PARTIALLY_FILLED;
    }
    if (opening.originalClientOrderId !== undefined) {
      this.#originalClientOrderId.set(order, opening.originalClientOrderId);
    }
    return order;
  }

  /**
   * Takes a slot for a new order on its instrument's default fee schedule; `begin` fills in the
   * rest.
   */
  openPlain(account: number, instrument: number, terms: number, clientOrderId: string): number {
    const order = this.#slot();
    const integers = this.integers;
    const i = order << 5;
    integers[i | ACCOUNT] = account;
    integers[i | INSTRUMENT] = instrument;
    integers[i | FEE_SCHEDULE] = instrument;
    integers[i | STATUS] = NEW;
    integers[i | LEVEL] = NONE;
    integers[i | ACCOUNT_NEXT] = NONE;
    integers[i | TERMS] = terms;
    integers[i | EXPIRY_PLACE] = NONE;
    this.clientOrderIds[order] = clientOrderId;
    return order;
  }

  /**
   * Gives a new order the next id, its price, its lots and the time; it has no fills and never
   * expires.
   */
  begin(order: number, ticks: number, lots: number, at: number): void {
    const doubles = this.doubles;
    const d = order << 4;
    this.issued += 1;
    doubles[d | LOTS] = lots;
    doubles[d | REMAINING] = lots;
    doubles[d | TICKS] = ticks;
    doubles[d | ID] = this.issued;
    doubles[d | UPDATED_AT] = at;
    doubles[d | CREATED_AT] = at;
    doubles[d | EXPIRE_AT] = Number.POSITIVE_INFINITY;
  }

  /** Frees the slot of an ended order. */
  release(order: number): void {
    if (this.#originalClientOrderId.size > 0) this.#originalClientOrderId.delete(order);
    this.setNext(order, this.#free);
    this.#free = order;
  }

  /** Sets the quantity of an order that has none before it executes. */
  setLots(order: number, lots: number): void {
    const filled = this.filled(order);
    this.doubles[(order << 4) | LOTS] = lots;
    this.doubles[(order << 4) | REMAINING] = lots - filled;
  }

  /** Adds filled lots. */
  execute(order: number, lots: number, at: number): void {
    this.setRemaining(order, this.doubles[(order << 4) | REMAINING] - lots, at);
  }

  /** Same as `execute`, given the lots that remain. */
  setRemaining(order: number, left: number, at: number): void {
    const doubles = this.doubles;
    doubles[(order << 4) | REMAINING] = left;
    doubles[(order << 4) | UPDATED_AT] = at;
    this.integers[(order << 5) | STATUS] = left === 0 ? FILLED : PARTIALLY_FILLED;
  }

  /** Changes the status of an order that stays active. */
  setStatus(order: number, status: 'new' | 'suspended', at: number): void {
    this.doubles[(order << 4) | UPDATED_AT] = at;
    this.integers[(order << 5) | STATUS] = status === 'new' ? NEW : SUSPENDED;
  }

  /** Makes an order inactive. */
  end(order: number, status: OrderStatus, at: number): void {
    this.doubles[(order << 4) | UPDATED_AT] = at;
    this.integers[(order << 5) | STATUS] = codeOf(status);
  }

  /** Id given by the exchange, rising. */
  id(order: number): number {
    return this.doubles[(order << 4) | ID];
  }

  clientOrderId(order: number): string {
    return this.clientOrderIds[order];
  }

  /** The client order id that this order replaced. */
  originalClientOrderId(order: number): string | undefined {
    return this.#originalClientOrderId.get(order);
  }

  account(order: number): number {
    return this.integers[(order << 5) | ACCOUNT];
  }

  instrument(order: number): number {
    return this.integers[(order << 5) | INSTRUMENT];
  }

  /** Fee schedule id. */
  feeSchedule(order: number): number {
    return this.integers[(order << 5) | FEE_SCHEDULE];
  }

  side(order: number): number {
    return this.integers[(order << 5) | TERMS] & 1;
  }

  type(order: number): OrderType {
    return ORDER_TYPES[(this.#terms(order) >> TYPE_BIT) & CODE_MASK];
  }

  timeInForce(order: number): TimeInForce {
    return TIMES_IN_FORCE[(this.#terms(order) >> TIME_IN_FORCE_BIT) & CODE_MASK];
  }

  status(order: number): OrderStatus {
    return STATUSES[this.#status(order)];
  }

  postOnly(order: number): boolean {
    return ((this.#terms(order) >> POST_ONLY_BIT) & 1) === 1;
  }

  /** True if it rests with what it does not fill at once. */
  isLasting(order: number): boolean {
    return this.#terms(order) <= SELL || this.#lasts(order);
  }

  #lasts(order: number): boolean {
    const timeInForce = this.timeInForce(order);
    return hasPrice(this.type(order)) && timeInForce !== 'IOC' && timeInForce !== 'FOK';
  }

  /** Margin flags (positions/flags.ts), 0 for a spot order. */
  marginFlags(order: number): number {
    return this.#terms(order) >> MARGIN_BIT;
  }

  /** True while it waits for its stop price or for the primary of its list. */
  suspended(order: number): boolean {
    return this.#status(order) === SUSPENDED;
  }

  /** True while it can still execute. */
  active(order: number): boolean {
    return this.#status(order) < FILLED;
  }

  lots(order: number): number {
    return this.doubles[(order << 4) | LOTS];
  }

  filled(order: number): number {
    return this.lots(order) - this.remaining(order);
  }

  /** Lots that are not filled yet. */
  remaining(order: number): number {
    return this.doubles[(order << 4) | REMAINING];
  }

  /** Limit price, 0 for orders without one. */
  ticks(order: number): number {
    return this.doubles[(order << 4) | TICKS];
  }

  /** When it expires, +Infinity for never. */
  expireAt(order: number): number {
    return this.doubles[(order << 4) | EXPIRE_AT];
  }

  createdAt(order: number): number {
    return this.doubles[(order << 4) | CREATED_AT];
  }

  updatedAt(order: number): number {
    return this.doubles[(order << 4) | UPDATED_AT];
  }

  /**
   * Recorded lots before it in the queue by the display, counted from the beginning of its level.
   */
  aheadMark(order: number): number {
    return this.doubles[(order << 4) | AHEAD_MARK];
  }

  setAheadMark(order: number, mark: number): void {
    this.doubles[(order << 4) | AHEAD_MARK] = mark;
  }

  /** Recorded lots that may be printed before it, counted from the beginning of its level. */
  printMark(order: number): number {
    return this.doubles[(order << 4) | PRINT_MARK];
  }

  setPrintMark(order: number, mark: number): void {
    this.doubles[(order << 4) | PRINT_MARK] = mark;
  }

  /** When it came to rest. */
  restedAt(order: number): number {
    return this.doubles[(order << 4) | RESTED_AT];
  }

  setRestedAt(order: number, at: number): void {
    this.doubles[(order << 4) | RESTED_AT] = at;
  }

  /** Level where it rests. */
  level(order: number): number {
    return this.integers[(order << 5) | LEVEL];
  }

  setLevel(order: number, level: number): void {
    this.integers[(order << 5) | LEVEL] = level;
  }

  /** Next order in its queue; also links ended orders and free slots. */
  next(order: number): number {
    return this.integers[(order << 5) | NEXT];
  }

  setNext(order: number, next: number): void {
    this.integers[(order << 5) | NEXT] = next;
  }

  /** Previous order in its queue. */
  previous(order: number): number {
    return this.integers[(order << 5) | PREVIOUS];
  }

  setPrevious(order: number, previous: number): void {
    this.integers[(order << 5) | PREVIOUS] = previous;
  }

  /** Next newer active order of its account. */
  accountNext(order: number): number {
    return this.integers[(order << 5) | ACCOUNT_NEXT];
  }

  /** Index in the heap of expiries. */
  expiryIndex(order: number): number {
    return this.integers[(order << 5) | EXPIRY_PLACE];
  }

  setExpiryIndex(order: number, index: number): void {
    this.integers[(order << 5) | EXPIRY_PLACE] = index;
  }

  setNameHash(order: number, hash: number): void {
    this.integers[(order << 5) | NAME_HASH] = hash;
  }

  #terms(order: number): number {
    return this.integers[(order << 5) | TERMS];
  }

  #status(order: number): number {
    return this.integers[(order << 5) | STATUS];
  }

  #slot(): number {
    const order = this.#free;
    if (order === NONE) return this.#next();
    this.#free = this.integers[(order << 5) | NEXT];
    return order;
  }

  #next(): number {
    if (DOUBLES * this.#made === this.doubles.length) {
      const previous = this.doubles;
      this.#take(2 * this.#made);
      this.doubles.set(previous);
    }
    return this.#made++;
  }

  /** Allocates memory for `records` records. */
  #take(records: number): void {
    const buffer = new ArrayBuffer(BYTES * (records + 1));
    this.doubles = new Float64Array(buffer, START, DOUBLES * records);
    this.integers = new Int32Array(buffer, START, 2 * DOUBLES * records);
  }
}

function codeOf(status: OrderStatus): number {
  if (status === 'canceled') return CANCELED;
  return status === 'filled' ? FILLED : STATUSES.indexOf(status);
}

function termsOf({ side, type, timeInForce, postOnly, margin }: OrderOpening): number {
  const typeCode = type === 'limit' ? 0 : ORDER_TYPES.indexOf(type);
  const timeCode = timeInForce === 'GTC' ? 0 : TIMES_IN_FORCE.indexOf(timeInForce);
  return (
    side |
    (typeCode << TYPE_BIT) |
    (timeCode << TIME_IN_FORCE_BIT) |
    (postOnly ? 1 << POST_ONLY_BIT : 0) |
    (margin << MARGIN_BIT)
  );
}
