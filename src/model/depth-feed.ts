import { Depth } from './depth.ts';
import { GAP, LAST, LEVEL, RESET, SELL, type EventColumns } from './events.ts';

/** Replaces the lots of a level if the row was old. */
export const OLD = -1;

/**
 * Maintains a `Depth` from the LEVEL, RESET and GAP rows of a feed.
 *
 * - A level is old, and ignored, if its sequence is below that of the book, or the same after the
 *   message of that sequence has ended. Sequence 0 is never old.
 * - RESET empties the book, ends staleness and sets the sequence, even to a lower one.
 * - GAP makes it stale. Levels still apply, as the venue's later sizes are the best data there is.
 */
export class DepthFeed {
  readonly depth = new Depth();
  /** Lots at the price before the latest LEVEL row, or `OLD` if that row was ignored. */
  before = OLD;
  /** Called before a RESET empties the book, to compare the snapshot with the book before. */
  resets: (() => void) | undefined;
  /** True between the rows of a message, while the book is incomplete. */
  #open = false;
  #changed = false;

  /** True if a level of this sequence is newer than the book, or part of the current message. */
  isFresh(sequence: number): boolean {
    const known = this.depth.sequence;
    return sequence === 0 || sequence > known || (sequence === known && this.#open);
  }

  /**
   * Applies a row of any kind; returns true if it ended a message that changed the book or its
   * staleness, so that the book is complete and different.
   */
  apply(columns: EventColumns, row: number): boolean {
    const kind = columns.kind[row];
    if (kind === LEVEL) return this.level(columns, row);
    if (kind === RESET) this.#reset(columns.sequence[row]);
    else if (kind === GAP) this.#gap();
    else return false;
    return (columns.flags[row] & LAST) === 0 ? false : this.#end();
  }

  /** Same as `apply` for a LEVEL row. */
  level(columns: EventColumns, row: number): boolean {
    const flags = columns.flags[row];
    const sequence = columns.sequence[row];
    if (this.isFresh(sequence)) {
      const { depth } = this;
      if (sequence !== 0) depth.sequence = sequence;
      const side = (flags & SELL) === 0 ? depth.bids : depth.asks;
      this.before = side.set(columns.price[row], columns.size[row]);
      this.#open = true;
      this.#changed = true;
    } else this.before = OLD;
    return (flags & LAST) === 0 ? false : this.#end();
  }

  #reset(sequence: number): void {
    this.resets?.();
    this.depth.clear();
    this.depth.stale = false;
    this.depth.sequence = sequence;
    this.#open = true;
    this.#changed = true;
  }

  #gap(): void {
    if (!this.depth.stale) this.#changed = true;
    this.depth.stale = true;
  }

  #end(): boolean {
    const changed = this.#changed;
    this.#open = false;
    this.#changed = false;
    return changed;
  }
}
