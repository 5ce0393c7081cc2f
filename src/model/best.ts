import type { Depth } from './depth.ts';
import type { EventColumns } from './events.ts';
import type { Lots, Ticks } from './units.ts';

/**
 * Best bid and ask of an instrument.
 *
 * They come from the book until the first QUOTE row, and from QUOTE rows from then on: a feed with
 * both sends its quotes sooner and more often. After a gap they are stale until the next QUOTE or
 * the next snapshot of the book, whichever is first.
 */
export class Best {
  /** NaN if the side is empty. */
  bidTicks = Number.NaN as Ticks;
  bidLots = 0 as Lots;
  askTicks = Number.NaN as Ticks;
  askLots = 0 as Lots;
  stale = true;
  /** True from a QUOTE row until a snapshot of the book ends a gap. */
  quoted = false;

  /** Applies a QUOTE row; returns true if something changed. */
  quote(columns: EventColumns, row: number): boolean {
    this.quoted = true;
    const bidLots = columns.size[row];
    const askLots = columns.askSize[row];
    return this.#set(
      bidLots === 0 ? Number.NaN : columns.price[row],
      bidLots,
      askLots === 0 ? Number.NaN : columns.askPrice[row],
      askLots,
      false,
    );
  }

  /**
   * Copies the best levels of a complete book unless there are quotes; returns true if something
   * changed.
   */
  follow(depth: Depth): boolean {
    if (this.quoted) {
      if (!this.stale || depth.stale) return false;
      this.quoted = false;
    }
    const { bids, asks } = depth;
    return this.#set(bids.ticksAt(0), bids.lotsAt(0), asks.ticksAt(0), asks.lotsAt(0), depth.stale);
  }

  /** Marks a gap in the feed; returns true if it was not marked before. */
  gap(): boolean {
    if (this.stale) return false;
    this.stale = true;
    return true;
  }

  /** Prices only need comparing if there is a size, as empty sides have size 0. */
  #set(
    bidTicks: number,
    bidLots: number,
    askTicks: number,
    askLots: number,
    stale: boolean,
  ): boolean {
    const same =
      bidLots === this.bidLots &&
      askLots === this.askLots &&
      (bidTicks === this.bidTicks || bidLots === 0) &&
      (askTicks === this.askTicks || askLots === 0) &&
      stale === this.stale;
    if (same) return false;
    this.bidTicks = bidTicks as Ticks;
    this.bidLots = bidLots as Lots;
    this.askTicks = askTicks as Ticks;
    this.askLots = askLots as Lots;
    this.stale = stale;
    return true;
  }
}
