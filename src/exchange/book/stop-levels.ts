import { NONE, type Orders } from '../orders/orders.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import { grown } from '../queues/grown.ts';
import { Ladder } from './ladder.ts';
import { LevelIndex } from './level-index.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/**
 * Orders of one instrument that wait for its price to reach their stop price from one direction:
 * levels by stop price, each a queue by time. Keys are stop prices times a sign, so that the price
 * reaches the greatest key first.
 */
export class StopLevels {
  readonly sign: 1 | -1;
  /** The greatest key, -Infinity if no order waits. */
  key = NO_KEY;
  readonly #orders: Orders;
  readonly #stops: StopPrices;
  readonly #ladder = new Ladder();
  readonly #index = new LevelIndex();
  #made = 0;
  #free = NONE;
  #keys = new Float64Array(16);
  #head = new Int32Array(16);
  #tail = new Int32Array(16);

  constructor(sign: 1 | -1, orders: Orders, stops: StopPrices) {
    this.sign = sign;
    this.#orders = orders;
    this.#stops = stops;
  }

  /** The greatest key below `key`, -Infinity if there is none. */
  below(key: number): number {
    const level = this.#ladder.below(key);
    return level === NONE ? NO_KEY : this.#keys[level];
  }

  /** The first order at the greatest key, which must exist. */
  first(): number {
    return this.#head[this.#ladder.last()];
  }

  /** The first order at a key, NONE if there is none. */
  at(key: number): number {
    const level = this.#index.find(key);
    return level === NONE ? NONE : this.#head[level];
  }

  append(order: number): void {
    const orders = this.#orders;
    const key = this.sign * this.#stops.ticks(order);
    let level = this.#index.find(key);
    if (level === NONE) level = this.#open(key);
    const tail = this.#tail[level];
    orders.setLevel(order, level);
    orders.setPrevious(order, tail);
    orders.setNext(order, NONE);
    if (tail === NONE) this.#head[level] = order;
    else orders.setNext(tail, order);
    this.#tail[level] = order;
  }

  remove(order: number): void {
    const orders = this.#orders;
    const level = orders.level(order);
    const next = orders.next(order);
    const previous = orders.previous(order);
    if (previous === NONE) this.#head[level] = next;
    else orders.setNext(previous, next);
    if (next === NONE) this.#tail[level] = previous;
    else orders.setPrevious(next, previous);
    orders.setLevel(order, NONE);
    if (this.#head[level] === NONE) this.#close(level);
  }

  #open(key: number): number {
    const level = this.#slot();
    this.#keys[level] = key;
    this.#head[level] = NONE;
    this.#tail[level] = NONE;
    this.#ladder.insert(key, level);
    this.#index.add(key, level);
    if (key > this.key) this.key = key;
    return level;
  }

  #close(level: number): void {
    this.#ladder.remove(this.#keys[level]);
    this.#index.remove(this.#keys[level]);
    this.#head[level] = this.#free;
    this.#free = level;
    const last = this.#ladder.last();
    this.key = last === NONE ? NO_KEY : this.#keys[last];
  }

  #slot(): number {
    if (this.#free !== NONE) {
      const level = this.#free;
      this.#free = this.#head[level];
      return level;
    }
    if (this.#made === this.#keys.length) {
      this.#keys = grown(this.#keys);
      this.#head = grown(this.#head);
      this.#tail = grown(this.#tail);
    }
    return this.#made++;
  }
}
