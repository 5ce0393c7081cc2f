import type { Orders } from './orders.ts';

/**
 * Triggered market orders that found too few lots on a feed without a book. The size of a print or
 * the volume of a candle is an assumption about what was available, so they continue at the next
 * one, first come first served.
 */
export class Remainders {
  /** Parked orders of all instruments. */
  count = 0;
  declare private readonly orders: Orders;
  /** By instrument: the time since which each order counts as present. */
  readonly #since: readonly Map<number, number>[];

  constructor(orders: Orders, instruments: number) {
    this.orders = orders;
    this.#since = Array.from({ length: instruments }, () => new Map());
  }

  has(order: number): boolean {
    return this.count > 0 && this.#since[this.orders.instrument(order)].has(order);
  }

  /** Parks an order until the next print; it counts as present since `since`. */
  add(order: number, since: number): void {
    this.#since[this.orders.instrument(order)].set(order, since);
    this.count += 1;
  }

  /**
   * Removes an order; returns the time since which it was present, undefined if it was not parked.
   */
  remove(order: number): number | undefined {
    if (this.count === 0) return undefined;
    const since = this.#since[this.orders.instrument(order)];
    const at = since.get(order);
    if (since.delete(order)) this.count -= 1;
    return at;
  }

  /** The orders of an instrument that were present at a time or before, in order of arrival. */
  upTo(instrument: number, till: number): readonly number[] {
    return [...this.#since[instrument]].filter(([, at]) => at <= till).map(([order]) => order);
  }
}
