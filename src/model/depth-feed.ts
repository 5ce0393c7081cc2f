import { Depth } from './depth.ts';
import { GAP, LAST, LEVEL, RESET, SELL, type EventColumns } from './events.ts';

/** In place of the lots of a level: the row was old. */
export const OLD = -1;

/**
 * Keeps a `Depth` as the LEVEL, RESET and GAP rows of a feed say.
 *
 * - The sequence rule: a level is old, and ignored, when its sequence is below that of the book, or
 *   the same after the message of that sequence has ended. Sequence 0 is never old.
 * - RESET empties the book, ends staleness and sets the sequence, lower ones included.
 * - GAP makes it stale. Levels still apply, as the venue's later sizes are the best there is.
 */
export class DepthFeed {
  readonly depth = new Depth();
  /** Lots at the price of the latest LEVEL row before it, or `OLD` where that row was ignored. */
  before = OLD;
  /** Called before a RESET empties the book, for who compares a snapshot with what was before it. */
  resets: (() => void) | undefined;
  /** True between the rows of a message; the book is not whole then. */
  #open = false;
  #changed = false;

  /** True when a level of this sequence is newer than the book, or of the message being read. */
  isFresh(sequence: number): boolean {
    const known = this.depth.sequence;
    return sequence === 0 || sequence > known || (sequence === known && this.#open);
  }

  /**
   * Takes a row in, of whatever kind; gives true when the row ended a message that changed the
   * book or its staleness, that is when the book is whole and not as it was.
   */
  apply(columns: EventColumns, row: number): boolean {
    const kind = columns.kind[row];
    if (kind === LEVEL) return this.level(columns, row);
    if (kind === RESET) this.#reset(columns.sequence[row]);
    else if (kind === GAP) this.#gap();
    else return false;
    return (columns.flags[row] & LAST) === 0 ? false : this.#end();
  }

  /** The same of a LEVEL row. */
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
