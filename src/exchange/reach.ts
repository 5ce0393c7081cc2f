import { product } from '../model/units.ts';
import type { Book } from './book.ts';
import type { Lists, OrderList } from './lists.ts';
import { NONE, type Orders } from './orders.ts';
import { BUY, SELL, signOf } from './side.ts';
import type { Tape } from './tape.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/** Counts what an incoming order could execute now, without executing anything. */
export class Reach {
  /** Lots that it could execute, its own quantity at most. */
  lots = 0;
  /** Sum of ticks × lots over them. */
  value: number | bigint = 0;
  readonly #books: readonly Book[];
  readonly #tapes: readonly Tape[];
  readonly #orders: Orders;
  readonly #lists: Lists;
  /** Sets of which a leg was counted: no other leg of them can be had. */
  readonly #spent = new Set<OrderList>();

  constructor(books: readonly Book[], tapes: readonly Tape[], orders: Orders, lists: Lists) {
    this.#orders = orders;
    this.#lists = lists;
    this.#books = books;
    this.#tapes = tapes;
  }

  /**
   * Measures for an order of `side` and so many lots; `ticks` is its limit, 0 for none. Where it is
   * a leg of a set, the other legs are not counted.
   */
  measure(instrument: number, side: number, ticks: number, lots: number, set?: OrderList): void {
    this.#spent.clear();
    if (set !== undefined) this.#spent.add(set);
    this.measureOn(instrument, side, ticks, lots);
  }

  /** The same for an order that executes after those measured before, on another instrument. */
  measureOn(instrument: number, side: number, ticks: number, lots: number): void {
    const against = side === BUY ? SELL : BUY;
    const book = this.#books[instrument].sides[against];
    const tape = this.#tapes[instrument].sides[against];
    const reach = ticks === 0 ? -Number.MAX_VALUE : signOf(against) * ticks;
    let left = lots;
    this.lots = 0;
    this.value = 0;
    let level = book.best();
    const exclusive = this.#lists.doubled > 0 || this.#spent.size > 0;
    tape.start();
    while (left > 0) {
      const key = level === NONE ? NO_KEY : book.key[level];
      const best = Math.max(key, tape.key);
      if (best < reach) return;
      const fromBook = key >= tape.key;
      const open = !fromBook
        ? tape.open
        : exclusive
          ? this.#openOf(book.head[level], left)
          : book.lots[level];
      const part = Math.min(left, open);
      if (fromBook) level = book.below(key);
      else tape.pass();
      left -= part;
      this.lots += part;
      this.value = sum(this.value, product(book.sign * best, part));
    }
  }

  /** Lots of a queue of which an order could have so many, one leg of each set counted. */
  #openOf(head: number, most: number): number {
    const orders = this.#orders;
    let open = 0;
    for (let order = head; order !== NONE && open < most; order = orders.next(order)) {
      const set = this.#lists.ofLeg(order);
      if (set !== undefined && this.#spent.has(set)) continue;
      if (set !== undefined) this.#spent.add(set);
      open += orders.left(order);
    }
    return open;
  }

  /** True when something stands in the way of an order that must not take. */
  blocks(instrument: number, side: number, ticks: number): boolean {
    const against = side === BUY ? SELL : BUY;
    const book = this.#books[instrument].sides[against];
    const level = book.best();
    if (level !== NONE && book.key[level] >= book.sign * ticks) return true;
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
