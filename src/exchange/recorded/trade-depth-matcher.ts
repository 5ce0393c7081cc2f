import { RecentLots } from './recent-lots.ts';

/**
 * How far the display and the print of one trade may lie apart, in microseconds. Venues send both on
 * ways of their own: in a capture of Binance the display came before the print for more than half of
 * the trades, mostly by a few milliseconds, and depth messages gather 100 ms of changes.
 */
export const TRADE_DEPTH_US = 100_000;

/**
 * Pairs what the display of one side of the market lost with what was printed there, as one trade
 * is told twice: each lot of a print explains one lot that the display loses, whichever comes first.
 */
export class TradeDepthMatcher {
  /** What the display lost and no print has explained yet. */
  readonly #shrinks = new RecentLots(TRADE_DEPTH_US);
  /** What was printed and the display has not lost yet. */
  readonly #prints = new RecentLots(TRADE_DEPTH_US);

  /** The display lost lots at a key, or an unknown number (+Infinity) at each of a range of keys. */
  shrank(low: number, high: number, lots: number, at: number): void {
    const left = lots - this.#prints.use(low, high, lots, at);
    if (left > 0) this.#shrinks.add(low, high, left, at);
  }

  /** A print at a key; gives how many of its lots the display had lost before. */
  counted(key: number, lots: number, at: number): number {
    return this.#shrinks.use(key, key, lots, at);
  }

  /** Lots of a print that went from the queue before the display lost them. */
  ahead(key: number, lots: number, at: number): void {
    if (lots > 0) this.#prints.add(key, key, lots, at);
  }

  /** An order comes to a key: it has not been passed by the prints so far, so none explains what is lost from now on. */
  forget(key: number, at: number): void {
    this.#prints.use(key, key, Number.POSITIVE_INFINITY, at);
  }

  /** Lots that the display lost at a key and whose print may still come. */
  pending(key: number, at: number): number {
    return this.#shrinks.sum(key, at);
  }
}
