import { Heap } from '../queues/heap.ts';
import { NONE, type Orders } from './orders.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Orders by time of expiry, then by number. */
export class Expiries {
  /** When the next one expires, +Infinity if there is none. */
  nextAt: number = NEVER;
  declare private readonly orders: Orders;
  declare private readonly heap: Heap;

  constructor(orders: Orders) {
    this.orders = orders;
    this.heap = new Heap(
      (a, b) => {
        const difference = orders.expireAt(a) - orders.expireAt(b);
        return difference < 0 || (difference === 0 && orders.id(a) < orders.id(b));
      },
      (order, index) => {
        orders.setExpiryIndex(order, index);
      },
    );
  }

  /** The order that expires next, which must exist. */
  next(): number {
    return this.heap.first;
  }

  add(order: number): void {
    this.heap.add(order);
    this.#note();
  }

  /** Removes an order if it is present. */
  remove(order: number): void {
    const index = this.orders.expiryIndex(order);
    if (index === NONE) return;
    this.orders.setExpiryIndex(order, NONE);
    this.heap.remove(index);
    this.#note();
  }

  #note(): void {
    this.nextAt = this.heap.isEmpty ? NEVER : this.orders.expireAt(this.heap.first);
  }
}
