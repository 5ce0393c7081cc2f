import { NONE as NO_ORDER, type Orders } from '../orders/orders.ts';
import { FIELD } from '../orders/record.ts';
import { BUY, SELL, signOf } from '../orders/side.ts';
import { grown } from '../queues/grown.ts';
import type { ChangedLevels } from './changed-levels.ts';
import { Ladder } from './ladder.ts';
import { LevelIndex } from './level-index.ts';

/** V8 inlines constants of this file and reads imported ones at each use. */
const NONE = NO_ORDER;
const { REMAINING, TICKS, AHEAD_MARK, PRINT_MARK } = FIELD;
const { LEVEL, NEXT, PREVIOUS } = FIELD;

/** Key of the best level if nothing rests. */
const NO_KEY = Number.NEGATIVE_INFINITY;

/**
 * A level is one cache line, 8 doubles: its key, the lots of all its orders, the recorded lots gone
 * from the front of its queue by the display and by the prints; then two integers, its first and
 * its last order.
 */
const KEY = 0;
const LOTS = 1;
const GONE = 2;
const PRINTED = 3;
const HEAD = 8;
const TAIL = 9;
const DOUBLES = 8;

/**
 * Below this many lots an order never makes the sum of a level inexact, as there are not enough
 * records.
 */
const MANY_LOTS = 2 ** 26;

/**
 * Resting orders of one side of an instrument: levels by price, each a queue by time. Keys are
 * prices times the sign of the side, so that the best has the greatest key.
 */
export class BookSide {
  declare readonly sign: 1 | -1;
  /** Collects the prices at which something changes, if they are published. */
  changed: ChangedLevels | undefined;
  /** Number of resting orders. */
  count = 0;
  declare private readonly orders: Orders;
  /** Levels in order, and by price. */
  readonly #ladder = new Ladder();
  readonly #index = new LevelIndex();
  #made = 0;
  #free = NONE;
  #doubles = new Float64Array(64 * DOUBLES);
  #integers = new Int32Array(this.#doubles.buffer);
  #best = NONE;
  /** Key of the best level, -Infinity when nothing rests. */
  bestKey = NO_KEY;
  /** True from the first order of `MANY_LOTS` or more on. */
  #hasManyLots = false;

  constructor(side: number, orders: Orders) {
    this.sign = signOf(side);
    this.orders = orders;
  }

  /** The best level, NONE if nothing rests. */
  best(): number {
    return this.#best;
  }

  /** The next worse level after a key, NONE if there is none. */
  below(key: number): number {
    return this.#ladder.below(key);
  }

  /** The level at a price, NONE if nothing rests there. */
  at(ticks: number): number {
    return this.#index.find(this.sign * ticks);
  }

  key(level: number): number {
    return this.#doubles[(level << 3) | KEY];
  }

  head(level: number): number {
    return this.#integers[(level << 4) | HEAD];
  }

  /** Sum of the lots of a level's orders. */
  lots(level: number): number {
    return this.#doubles[(level << 3) | LOTS];
  }

  /** True if the sum of a level stays exact with `lots` more. */
  hasRoom(ticks: number, lots: number): boolean {
    return (lots < MANY_LOTS && !this.#hasManyLots) || lots <= this.room(ticks);
  }

  /** How many lots a level can still take. */
  room(ticks: number): number {
    const level = this.at(ticks);
    return Number.MAX_SAFE_INTEGER - (level === NONE ? 0 : this.lots(level));
  }

  /**
   * Appends an order to the queue of its price, behind `ahead` lots of the recorded market.
   * `pending` more lots were displayed a moment ago, and their prints may still come.
   */
  append(order: number, ahead: number, pending: number): void {
    const { doubles, integers } = this.orders;
    const d = order << 4;
    const i = order << 5;
    const key = this.sign * doubles[d | TICKS];
    let level = this.#index.find(key);
    if (level === NONE) level = this.#open(key);
    const levels = this.#doubles;
    const queues = this.#integers;
    const tail = queues[(level << 4) | TAIL];
    if (tail === NONE) queues[(level << 4) | HEAD] = order;
    else integers[(tail << 5) | NEXT] = order;
    queues[(level << 4) | TAIL] = order;
    integers[i | LEVEL] = level;
    integers[i | PREVIOUS] = tail;
    integers[i | NEXT] = NONE;
    doubles[d | AHEAD_MARK] = levels[(level << 3) | GONE] + ahead;
    doubles[d | PRINT_MARK] = levels[(level << 3) | PRINTED] + ahead + pending;
    const left = doubles[d | REMAINING];
    levels[(level << 3) | LOTS] += left;
    if (left >= MANY_LOTS) this.#hasManyLots = true;
    this.count += 1;
    if (this.changed !== undefined) this.changed.note(key);
  }

  /** Reduces a resting order's remainder by `lots`, and removes the order if nothing remains. */
  shrink(order: number, lots: number): void {
    const { doubles, integers } = this.orders;
    this.#doubles[(integers[(order << 5) | LEVEL] << 3) | LOTS] -= lots;
    if (this.changed !== undefined) this.changed.note(this.#keyOf(order));
    if (doubles[(order << 4) | REMAINING] === 0) this.#unlink(order);
  }

  /** Same as `shrink` for the first order of the best level; `isWhole` if nothing of it remains. */
  shrinkFirst(order: number, lots: number, isWhole: boolean): void {
    const level = this.#best;
    this.#doubles[(level << 3) | LOTS] -= lots;
    if (this.changed !== undefined) this.changed.note(this.bestKey);
    if (!isWhole) return;
    const { integers } = this.orders;
    const next = integers[(order << 5) | NEXT];
    this.#integers[(level << 4) | HEAD] = next;
    integers[(order << 5) | LEVEL] = NONE;
    this.count -= 1;
    if (next === NONE) this.#close(level);
    else integers[(next << 5) | PREVIOUS] = NONE;
  }

  /** Removes an order from its queue. */
  remove(order: number): void {
    const { doubles, integers } = this.orders;
    this.#doubles[(integers[(order << 5) | LEVEL] << 3) | LOTS] -=
      doubles[(order << 4) | REMAINING];
    if (this.changed !== undefined) this.changed.note(this.#keyOf(order));
    this.#unlink(order);
  }

  /**
   * Recorded lots before an order: the lesser of the count by the display and the count by the
   * prints. If the display loses a lot before its print, the first knows at once and skips the
   * print; the second knows only the print. So neither counts a lot twice, and the lesser is right.
   */
  ahead(order: number): number {
    return Math.max(0, Math.min(this.#byDisplay(order), this.#byPrints(order)));
  }

  /**
   * How many lots of a print of `size` lots reach beyond an order's position in the queue; the
   * display has not lost `fresh` of them yet.
   */
  reached(order: number, size: number, fresh: number): number {
    return Math.max(
      size - Math.max(0, this.#byPrints(order)),
      fresh - Math.max(0, this.#byDisplay(order)),
    );
  }

  /**
   * Limits what can be printed before an order to what the display shows before it and lost lately.
   */
  bound(order: number, pending: number): void {
    const most = this.#byDisplay(order) + pending;
    if (this.#byPrints(order) <= most) return;
    const printed = this.#doubles[(this.orders.level(order) << 3) | PRINTED];
    this.orders.setPrintMark(order, printed + most);
  }

  /** Removes `lots` recorded lots from the front of a level's queue. */
  advance(level: number, lots: number): void {
    this.print(level, lots, lots);
  }

  /**
   * Applies a print of `lots` recorded lots at a level. The display had lost all but `fresh` of
   * them before.
   */
  print(level: number, lots: number, fresh: number): void {
    this.#doubles[(level << 3) | PRINTED] += lots;
    this.#doubles[(level << 3) | GONE] += fresh;
  }

  /**
   * Applies that the recorded market shows at most this many lots at a level, so that no order has
   * more ahead. Marks rise along the queue, so only its end is touched.
   */
  cap(level: number, lots: number): void {
    const orders = this.orders;
    const mark = this.#doubles[(level << 3) | GONE] + lots;
    let order = this.#integers[(level << 4) | TAIL];
    while (order !== NONE && orders.aheadMark(order) > mark) {
      orders.setAheadMark(order, mark);
      order = orders.previous(order);
    }
  }

  #byDisplay(order: number): number {
    return this.orders.aheadMark(order) - this.#doubles[(this.orders.level(order) << 3) | GONE];
  }

  #byPrints(order: number): number {
    return this.orders.printMark(order) - this.#doubles[(this.orders.level(order) << 3) | PRINTED];
  }

  #keyOf(order: number): number {
    return this.key(this.orders.level(order));
  }

  #unlink(order: number): void {
    const { integers } = this.orders;
    const queues = this.#integers;
    const i = order << 5;
    const level = integers[i | LEVEL];
    const next = integers[i | NEXT];
    const previous = integers[i | PREVIOUS];
    if (previous === NONE) queues[(level << 4) | HEAD] = next;
    else integers[(previous << 5) | NEXT] = next;
    if (next === NONE) queues[(level << 4) | TAIL] = previous;
    else integers[(next << 5) | PREVIOUS] = previous;
    integers[i | LEVEL] = NONE;
    this.count -= 1;
    if (next === NONE && previous === NONE) this.#close(level);
  }

  #open(key: number): number {
    const level = this.#slot();
    const d = level << 3;
    const levels = this.#doubles;
    levels[d | KEY] = key;
    levels[d | LOTS] = 0;
    levels[d | GONE] = 0;
    levels[d | PRINTED] = 0;
    this.#integers[(level << 4) | HEAD] = NONE;
    this.#integers[(level << 4) | TAIL] = NONE;
    this.#ladder.insert(key, level);
    this.#index.add(key, level);
    if (key > this.bestKey) {
      this.bestKey = key;
      this.#best = level;
    }
    return level;
  }

  #close(level: number): void {
    const key = this.key(level);
    this.#ladder.remove(key);
    this.#index.remove(key);
    this.#integers[(level << 4) | HEAD] = this.#free;
    this.#free = level;
    if (level !== this.#best) return;
    const best = this.#ladder.last();
    this.#best = best;
    this.bestKey = best === NONE ? NO_KEY : this.key(best);
  }

  #slot(): number {
    if (this.#free !== NONE) {
      const level = this.#free;
      this.#free = this.head(level);
      return level;
    }
    if (this.#made * DOUBLES === this.#doubles.length) {
      this.#doubles = grown(this.#doubles);
      this.#integers = new Int32Array(this.#doubles.buffer);
    }
    return this.#made++;
  }
}

/** The resting orders of one instrument. */
export class Book {
  declare readonly sides: readonly [BookSide, BookSide];

  constructor(orders: Orders) {
    this.sides = [new BookSide(BUY, orders), new BookSide(SELL, orders)];
  }
}
