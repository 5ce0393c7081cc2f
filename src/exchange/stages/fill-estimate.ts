import { product } from '../../model/units.ts';
import type { OrderLists, OrderList } from '../orders/lists.ts';
import type { Position } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import { REDUCE_ONLY } from '../positions/flags.ts';
import { NONE, type Orders } from '../orders/orders.ts';
import { BUY, SELL, signOf } from '../orders/side.ts';
import type { RecordedSide } from '../recorded/recorded-side.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';
import type { Book, BookSide } from '../book/book.ts';
import type { SelfMatch } from '../state/self-match.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/** Counts what an incoming order could execute now, without executing anything. */
export class Reach {
  /** Lots that it could execute, its own quantity at most. */
  lots = 0;
  /** Sum of ticks × lots over them. */
  value: number | bigint = 0;
  readonly #books: readonly Book[];
  readonly #tapes: readonly RecordedMarket[];
  readonly #orders: Orders;
  readonly #lists: OrderLists;
  readonly #selfMatch: SelfMatch;
  readonly #positions: MarginAccounts;
  /** Lots that are still to be measured. */
  #left = 0;
  /** Sets of which a leg was counted: no other leg of them can be had. */
  readonly #spent = new Set<OrderList>();
  /** Lots of positions that were counted as closed by the margin orders measured so far. */
  readonly #closed = new Map<Position, number>();

  constructor(
    books: readonly Book[],
    tapes: readonly RecordedMarket[],
    orders: Orders,
    lists: OrderLists,
    selfMatch: SelfMatch,
    positions: MarginAccounts,
  ) {
    this.#positions = positions;
    this.#selfMatch = selfMatch;
    this.#orders = orders;
    this.#lists = lists;
    this.#books = books;
    this.#tapes = tapes;
  }

  /**
   * Measures for an order of `side` and so many lots; `ticks` is its limit, 0 for none. Where it is
   * a leg of a set, the other legs are not counted, and orders of its own account as it may meet
   * them.
   */
  measure(
    account: number,
    instrument: number,
    side: number,
    ticks: number,
    lots: number,
    set?: OrderList,
  ): void {
    // To clear an empty set makes a new table for it.
    if (this.#spent.size > 0) this.#spent.clear();
    if (this.#closed.size > 0) this.#closed.clear();
    if (set !== undefined) this.#spent.add(set);
    this.measureOn(account, instrument, side, ticks, lots);
  }

  /** The same for an order that executes after those measured before, on another instrument. */
  measureOn(account: number, instrument: number, side: number, ticks: number, lots: number): void {
    const against = side === BUY ? SELL : BUY;
    const book = this.#books[instrument].sides[against];
    const tape = this.#tapes[instrument].sides[against];
    const reach = ticks === 0 ? -Number.MAX_VALUE : signOf(against) * ticks;
    const prevents = this.#selfMatch.mode(account) !== 'none';
    this.#left = lots;
    this.lots = 0;
    this.value = 0;
    let level = book.best();
    const exclusive = this.#lists.doubled > 0 || this.#spent.size > 0 || this.#positions.reduces;
    tape.start();
    while (this.#left > 0) {
      const key = level === NONE ? NO_KEY : book.key(level);
      const best = Math.max(key, tape.key);
      if (best < reach) return;
      const price = book.sign * best;
      if (key < tape.key) {
        this.#count(price, tape.open);
        tape.pass();
      } else {
        if (prevents) this.#queue(account, book, level, key === tape.key ? tape : undefined);
        else if (exclusive) this.#count(price, this.#openOf(book.head(level), this.#left));
        else this.#count(price, book.lots(level));
        level = book.below(key);
      }
    }
  }

  /** Counts what could be had at a price. */
  #count(ticks: number, open: number): void {
    const part = Math.min(this.#left, open);
    this.#left -= part;
    this.lots += part;
    this.value = sum(this.value, product(ticks, part));
  }

  /**
   * Counts the queue of a price order by order, the tape's lots among them, where orders of the
   * same account do not trade with each other: an own order ends what can be had, or is passed, or
   * takes its lots off.
   */
  #queue(account: number, book: BookSide, level: number, tape: RecordedSide | undefined): void {
    const orders = this.#orders;
    const ticks = book.sign * book.key(level);
    let passed = 0;
    for (
      let order = book.head(level);
      order !== NONE && this.#left > 0;
      order = orders.next(order)
    ) {
      if (tape !== undefined) {
        const ahead = Math.min(book.ahead(order), tape.open) - passed;
        if (ahead > 0) this.#count(ticks, ahead);
        if (ahead > 0) passed += ahead;
      }
      if (this.#left === 0) break;
      if (orders.account(order) === account) this.#meet(order);
      else this.#count(ticks, this.#openIn(order));
    }
    if (tape === undefined) return;
    this.#count(ticks, tape.open - passed);
    tape.pass();
  }

  /** What an own order in the way does to what is left. */
  #meet(order: number): void {
    const mode = this.#selfMatch.mode(this.#orders.account(order));
    if (mode === 'expireMaker') return;
    const taken = mode === 'decrement' ? this.#orders.left(order) : this.#left;
    this.#left = Math.max(0, this.#left - taken);
  }

  /** Lots of a queue of which an order could have so many, one leg of each set counted. */
  #openOf(head: number, most: number): number {
    const orders = this.#orders;
    let open = 0;
    for (let order = head; order !== NONE && open < most; order = orders.next(order)) {
      open += this.#openIn(order);
    }
    return open;
  }

  /** Lots of a resting order that can be had: of legs that exclude each other of the first alone. */
  #openIn(order: number): number {
    const set = this.#lists.ofLeg(order);
    if (set !== undefined && this.#spent.has(set)) return 0;
    const room = this.#roomOf(order);
    // A leg that has nothing to reduce any more ends, and the others of its set stay.
    if (set !== undefined && room > 0) this.#spent.add(set);
    return room;
  }

  /**
   * Lots of a resting order that can be had. What the orders before it close of its position is not
   * there for it any more where it only reduces that, whether those only reduce it too or not.
   */
  #roomOf(order: number): number {
    const orders = this.#orders;
    const left = orders.left(order);
    if (orders.margin(order) === 0 || !this.#positions.reduces) return left;
    const position = this.#positions.positionOf(order);
    const only = (orders.margin(order) & REDUCE_ONLY) !== 0;
    if (position === undefined) return only ? 0 : left;
    const closed = this.#closed.get(position) ?? 0;
    const room = only
      ? Math.max(0, Math.min(this.#positions.room(order), position.size - closed))
      : left;
    if (position.lots > 0 === (orders.side(order) === SELL)) {
      this.#closed.set(position, closed + room);
    }
    return room;
  }

  /** True when something stands in the way of an order that must not take. */
  blocks(instrument: number, side: number, ticks: number): boolean {
    const against = side === BUY ? SELL : BUY;
    const book = this.#books[instrument].sides[against];
    const level = book.best();
    if (level !== NONE && book.key(level) >= book.sign * ticks) return true;
    return this.#tapes[instrument].sides[against].reaches(ticks);
  }
}

function sum(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === 'number' && typeof b === 'number') {
    const value = a + b;
    if (Number.isSafeInteger(value)) return value;
  }
  return BigInt(a) + BigInt(b);
}
