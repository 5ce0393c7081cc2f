import { NONE, type Orders } from './orders.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Orders that end at a time, soonest first and by number where times are equal: a binary heap. */
export class Expiries {
  /** When the next one is due, +Infinity when there is none. */
  nextAt: number = NEVER;
  declare private readonly orders: Orders;
  #heap = new Int32Array(64);
  #length = 0;

  constructor(orders: Orders) {
    this.orders = orders;
  }

  /** The order that is due next; there is one. */
  next(): number {
    return this.#heap[0];
  }

  add(order: number): void {
    if (this.#length === this.#heap.length) {
      const heap = new Int32Array(2 * this.#length);
      heap.set(this.#heap);
      this.#heap = heap;
    }
    this.#length += 1;
    this.#rise(this.#length - 1, order);
    this.#note();
  }

  /** Takes an order out, when it is in. */
  remove(order: number): void {
    const hole = this.orders.expiryPlace(order);
    if (hole === NONE) return;
    this.orders.setExpiryPlace(order, NONE);
    this.#length -= 1;
    const moved = this.#heap[this.#length];
    if (moved !== order) {
      this.#sink(hole, moved);
      if (this.#heap[hole] === moved) this.#rise(hole, moved);
    }
    this.#note();
  }

  #note(): void {
    this.nextAt = this.#length === 0 ? NEVER : this.orders.expireAt(this.#heap[0]);
  }

  #before(a: number, b: number): boolean {
    const orders = this.orders;
    const difference = orders.expireAt(a) - orders.expireAt(b);
    return difference < 0 || (difference === 0 && orders.id(a) < orders.id(b));
  }

  #rise(from: number, order: number): void {
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!this.#before(order, this.#heap[parent])) break;
      this.#put(hole, this.#heap[parent]);
      hole = parent;
    }
    this.#put(hole, order);
  }

  #sink(from: number, order: number): void {
    let hole = from;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= this.#length) break;
      if (child + 1 < this.#length && this.#before(this.#heap[child + 1], this.#heap[child])) {
        child += 1;
      }
      if (!this.#before(this.#heap[child], order)) break;
      this.#put(hole, this.#heap[child]);
      hole = child;
    }
    this.#put(hole, order);
  }

  #put(place: number, order: number): void {
    this.#heap[place] = order;
    this.orders.setExpiryPlace(order, place);
  }
}
