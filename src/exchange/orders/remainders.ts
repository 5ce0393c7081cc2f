import type { Orders } from './orders.ts';

/**
 * Triggered orders of a market type that found less than they ask for where the feed shows no book:
 * the size of a print or the volume of a candle is an assumption about what could be had, and not
 * all that there was, so they go on at the next one. First come, first served.
 */
export class Remainders {
  /** Orders that go on, of all instruments. */
  count = 0;
  declare private readonly orders: Orders;
  /** By instrument: since when each order is held to have been there. */
  readonly #since: readonly Map<number, number>[];

  constructor(orders: Orders, instruments: number) {
    this.orders = orders;
    this.#since = Array.from({ length: instruments }, () => new Map());
  }

  has(order: number): boolean {
    return this.count > 0 && this.#since[this.orders.instrument(order)].has(order);
  }

  /** Lets an order go on at the next print, as one that was there since `since`. */
  add(order: number, since: number): void {
    this.#since[this.orders.instrument(order)].set(order, since);
    this.count += 1;
  }

  /** Takes an order out; gives since when it was there, undefined where it was not. */
  remove(order: number): number | undefined {
    if (this.count === 0) return undefined;
    const since = this.#since[this.orders.instrument(order)];
    const at = since.get(order);
    if (since.delete(order)) this.count -= 1;
    return at;
  }

  /** The orders of an instrument that were there at a time or before, the first first. */
  upTo(instrument: number, till: number): readonly number[] {
    return [...this.#since[instrument]].filter(([, at]) => at <= till).map(([order]) => order);
  }
}
