import { Ladder } from './ladder.ts';
import { LevelIndex } from './level-index.ts';
import { NONE, type Orders } from './orders.ts';
import { BUY, SELL, signOf } from './side.ts';

/**
 * The resting orders of one side of an instrument: levels by price, in each a queue by time. Keys
 * are prices times the sign of the side, so that the greatest is the best.
 */
export class BookSide {
  readonly sign: 1 | -1;
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
  /** Tape lots that have gone from the front of the queue; what stands before an order is its mark less this. */
  #gone = new Float64Array(64);

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

  /** Puts an order at the end of the queue of its price, behind `ahead` lots of the tape. */
  append(order: number, ahead: number): void {
    const orders = this.#orders;
    const key = this.sign * orders.ticks(order);
    let level = this.#index.find(key);
    if (level === NONE) level = this.#open(key);
    const tail = this.#tail[level];
    orders.setLevel(order, level);
    orders.setPrevious(order, tail);
    orders.setNext(order, NONE);
    orders.setAheadMark(order, this.#gone[level] + ahead);
    if (tail === NONE) this.head[level] = order;
    else orders.setNext(tail, order);
    this.#tail[level] = order;
    this.lots[level] += orders.left(order);
    this.count += 1;
  }

  /** Tells that a resting order's remainder has shrunk by so many lots; it leaves when nothing is left. */
  shrink(order: number, lots: number): void {
    this.lots[this.#orders.level(order)] -= lots;
    if (this.#orders.left(order) === 0) this.#unlink(order);
  }

  /** Takes an order out of its queue. */
  remove(order: number): void {
    this.lots[this.#orders.level(order)] -= this.#orders.left(order);
    this.#unlink(order);
  }

  /** Tape lots before an order. */
  ahead(order: number): number {
    const ahead = this.#orders.aheadMark(order) - this.#gone[this.#orders.level(order)];
    return ahead > 0 ? ahead : 0;
  }

  /** Tells that so many tape lots have left the front of a level's queue. */
  advance(level: number, lots: number): void {
    this.#gone[level] += lots;
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
    const [key, lots, gone] = [this.key, this.lots, this.#gone];
    const [head, tail] = [this.head, this.#tail];
    this.key = new Float64Array(capacity);
    this.key.set(key);
    this.lots = new Float64Array(capacity);
    this.lots.set(lots);
    this.#gone = new Float64Array(capacity);
    this.#gone.set(gone);
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
