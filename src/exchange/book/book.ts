import type { Changed } from '../market-data/changed.ts';
import { NONE as NO_ORDER, type Orders } from '../orders/orders.ts';
import { BUY, SELL, signOf } from '../side.ts';
import { Ladder } from './ladder.ts';
import { LevelIndex } from './level-index.ts';

/** Constants of this file become part of the code that V8 makes; those of others are read each time. */
const NONE = NO_ORDER;

/**
 * The resting orders of one side of an instrument: levels by price, in each a queue by time. Keys
 * are prices times the sign of the side, so that the greatest is the best.
 */
export class BookSide {
  readonly sign: 1 | -1;
  /** Where to say at which prices something changes, if anybody wants to know. */
  changed: Changed | undefined;
  /** Number of resting orders. */
  count = 0;
  readonly #orders: Orders;
  /** The levels in order, and by price. */
  readonly #ladder = new Ladder();
  readonly #index = new LevelIndex();
  #made = 0;
  #free = NONE;
  /** Of each level: its key, the first and last order, the lots of all its orders. */
  key = new Float64Array(64);
  head = new Int32Array(64);
  lots = new Float64Array(64);
  #tail = new Int32Array(64);
  /** Tape lots that have gone from the front of the queue beyond what the display had lost before. */
  #gone = new Float64Array(64);
  /** Tape lots that have gone from the front of the queue by all prints. */
  #printed = new Float64Array(64);

  constructor(side: number, orders: Orders) {
    this.sign = signOf(side);
    this.#orders = orders;
  }

  /** The best level, NONE when nothing rests. */
  best(): number {
    return this.#ladder.last();
  }

  /** The level next worse than a key, NONE when there is none. */
  below(key: number): number {
    return this.#ladder.below(key);
  }

  /** The level at a price, NONE when nothing rests there. */
  at(ticks: number): number {
    return this.#index.find(this.sign * ticks);
  }

  /**
   * Puts an order at the end of the queue of its price, behind `ahead` lots of the tape; `pending`
   * more were displayed a moment ago, and their prints may still come.
   */
  append(order: number, ahead: number, pending: number): void {
    const orders = this.#orders;
    const key = this.sign * orders.ticks(order);
    let level = this.#index.find(key);
    if (level === NONE) level = this.#open(key);
    const tail = this.#tail[level];
    orders.setLevel(order, level);
    orders.setPrevious(order, tail);
    orders.setNext(order, NONE);
    orders.setAheadMark(order, this.#gone[level] + ahead);
    orders.setPrintMark(order, this.#printed[level] + ahead + pending);
    if (tail === NONE) this.head[level] = order;
    else orders.setNext(tail, order);
    this.#tail[level] = order;
    this.lots[level] += orders.left(order);
    this.count += 1;
    if (this.changed !== undefined) this.changed.note(key);
  }

  /** Tells that a resting order's remainder has shrunk by so many lots; it leaves when nothing is left. */
  shrink(order: number, lots: number): void {
    const level = this.#orders.level(order);
    this.lots[level] -= lots;
    if (this.changed !== undefined) this.changed.note(this.key[level]);
    if (this.#orders.left(order) === 0) this.#unlink(order);
  }

  /** Takes an order out of its queue. */
  remove(order: number): void {
    const level = this.#orders.level(order);
    this.lots[level] -= this.#orders.left(order);
    if (this.changed !== undefined) this.changed.note(this.key[level]);
    this.#unlink(order);
  }

  /**
   * Tape lots before an order: no more than by the display, and no more than by the prints alone.
   * Of a lot that the display loses before it is printed, the first knows at once and passes over
   * its print; the second knows only the print. So none counts it twice, and the less is true.
   */
  ahead(order: number): number {
    return Math.max(0, Math.min(this.#byDisplay(order), this.#byPrints(order)));
  }

  /** How far a print of so many lots, of which the display has not lost `fresh` yet, goes behind an order's place. */
  reached(order: number, size: number, fresh: number): number {
    return Math.max(
      size - Math.max(0, this.#byPrints(order)),
      fresh - Math.max(0, this.#byDisplay(order)),
    );
  }

  /** Tells that no more can be printed before an order than the display has before it and lost lately. */
  bound(order: number, pending: number): void {
    const most = this.#byDisplay(order) + pending;
    if (this.#byPrints(order) <= most) return;
    this.#orders.setPrintMark(order, this.#printed[this.#orders.level(order)] + most);
  }

  /** Tells that so many tape lots have left the front of a level's queue. */
  advance(level: number, lots: number): void {
    this.print(level, lots, lots);
  }

  /** Tells of a print that took so many tape lots from a level; the display had lost all but the fresh ones before. */
  print(level: number, lots: number, fresh: number): void {
    this.#printed[level] += lots;
    this.#gone[level] += fresh;
  }

  /**
   * Tells that the tape shows no more than so many lots at a level: none can be more than that
   * ahead of anybody. Marks rise along the queue, so only its end is touched.
   */
  cap(level: number, lots: number): void {
    const orders = this.#orders;
    const mark = this.#gone[level] + lots;
    let order = this.#tail[level];
    while (order !== NONE && orders.aheadMark(order) > mark) {
      orders.setAheadMark(order, mark);
      order = orders.previous(order);
    }
  }

  #byDisplay(order: number): number {
    return this.#orders.aheadMark(order) - this.#gone[this.#orders.level(order)];
  }

  #byPrints(order: number): number {
    return this.#orders.printMark(order) - this.#printed[this.#orders.level(order)];
  }

  #unlink(order: number): void {
    const orders = this.#orders;
    const level = orders.level(order);
    const next = orders.next(order);
    const previous = orders.previous(order);
    if (previous === NONE) this.head[level] = next;
    else orders.setNext(previous, next);
    if (next === NONE) this.#tail[level] = previous;
    else orders.setPrevious(next, previous);
    orders.setLevel(order, NONE);
    this.count -= 1;
    if (this.head[level] === NONE) this.#close(level);
  }

  #open(key: number): number {
    const level = this.#slot();
    this.key[level] = key;
    this.head[level] = NONE;
    this.#tail[level] = NONE;
    this.lots[level] = 0;
    this.#gone[level] = 0;
    this.#printed[level] = 0;
    this.#ladder.insert(key, level);
    this.#index.add(key, level);
    return level;
  }

  #close(level: number): void {
    this.#ladder.remove(this.key[level]);
    this.#index.remove(this.key[level]);
    this.head[level] = this.#free;
    this.#free = level;
  }

  #slot(): number {
    if (this.#free !== NONE) {
      const level = this.#free;
      this.#free = this.head[level];
      return level;
    }
    if (this.#made === this.key.length) this.#grow();
    return this.#made++;
  }

  #grow(): void {
    const capacity = 2 * this.key.length;
    const [key, lots, gone, printed] = [this.key, this.lots, this.#gone, this.#printed];
    const [head, tail] = [this.head, this.#tail];
    this.key = new Float64Array(capacity);
    this.key.set(key);
    this.lots = new Float64Array(capacity);
    this.lots.set(lots);
    this.#gone = new Float64Array(capacity);
    this.#gone.set(gone);
    this.#printed = new Float64Array(capacity);
    this.#printed.set(printed);
    this.head = new Int32Array(capacity);
    this.head.set(head);
    this.#tail = new Int32Array(capacity);
    this.#tail.set(tail);
  }
}

/** The resting orders of one instrument. */
export class Book {
  readonly sides: readonly [BookSide, BookSide];

  constructor(orders: Orders) {
    this.sides = [new BookSide(BUY, orders), new BookSide(SELL, orders)];
  }
}
