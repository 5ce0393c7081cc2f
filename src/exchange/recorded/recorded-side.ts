import { DepthSide } from '../../model/depth.ts';
import type { ChangedLevels } from '../book/changed-levels.ts';
import { signOf } from '../orders/side.ts';
import { TradeDepthMatcher } from './trade-depth-matcher.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;
const NO_QUOTE = Number.POSITIVE_INFINITY;

/**
 * One side of the recorded market: its depth, overlaid by a newer quote, and the lots that own
 * takers have taken out of displayed levels. Keys are prices times the sign of the side, so that
 * the best has the greatest key.
 *
 * It is its own cursor: `start` and `take` walk the available lots from the best level on.
 */
export class RecordedSide {
  declare readonly sign: 1 | -1;
  declare readonly depth: DepthSide;
  /** Collects the prices at which something displayed changes, if that is published. */
  changed: ChangedLevels | undefined;
  /** True while the depth is unknown: at the start, after a gap, within a snapshot. */
  blind = true;
  /**
   * Key of the best price by the latest quote: NO_QUOTE without one, NO_KEY if the side is empty.
   */
  #quoteKey = NO_QUOTE;
  #quoteLots = 0;
  /** True if the quote comes from a print: it shows available lots, not a queue. */
  #printed = false;
  /** Lots taken by own orders, by price; they are not offered again. */
  readonly #taken: DepthSide;
  /** Matches losses of the display with prints of the same trade. */
  readonly #echo = new TradeDepthMatcher();
  /** What was displayed before the snapshot in progress, if it is to be compared. */
  #isAwaitingSnapshot = false;
  readonly #previous: { readonly key: number; readonly lots: number }[] = [];
  #previousBlind = true;
  #previousQuoteKey = NO_QUOTE;
  #previousQuoteLots = 0;

  /** Key under the cursor, -Infinity at the end; and the lots available there. */
  key = NO_KEY;
  open = 0;
  #rank = 0;

  constructor(side: number, depth: DepthSide) {
    this.sign = signOf(side);
    this.depth = depth;
    this.#taken = new DepthSide(this.sign === 1 ? 'bid' : 'ask');
  }

  /** Price of the quote; not finite without one or for an empty side. */
  get quoteTicks(): number {
    return this.sign * this.#quoteKey;
  }

  /** The size that the recorded market shows at a price, +Infinity if unknown. */
  shown(ticks: number): number {
    if (this.#printed) return Number.POSITIVE_INFINITY;
    const key = this.sign * ticks;
    if (key > this.#quoteKey) return 0;
    if (key === this.#quoteKey) return this.#quoteLots;
    return this.blind ? Number.POSITIVE_INFINITY : this.depth.lotsOf(ticks);
  }

  /** Applies a print at a price; returns how many of its lots the display had lost before. */
  counted(ticks: number, lots: number, at: number): number {
    return this.#echo.counted(this.sign * ticks, lots, at);
  }

  /** Notes lots of a print that left the queue at a price before the display lost them. */
  passed(ticks: number, lots: number, at: number): void {
    this.#echo.ahead(this.sign * ticks, lots, at);
  }

  /**
   * Notes an order that starts to rest at a price; returns the lots lost there lately whose print
   * may still come.
   */
  joinQueue(ticks: number, at: number): number {
    this.#echo.forget(this.sign * ticks, at);
    return this.pending(ticks, at);
  }

  /** Lots that the display lost lately at a price and whose print may still come. */
  pending(ticks: number, at: number): number {
    return this.#echo.pending(this.sign * ticks, at);
  }

  /** Notes a changed level of the depth, which had `before` lots. */
  changedAt(ticks: number, before: number, lots: number, at: number): void {
    if (this.changed !== undefined) this.changed.note(this.sign * ticks);
    if (before > lots && !this.blind) {
      const key = this.sign * ticks;
      if (key < this.#quoteKey) this.#echo.shrank(key, key, before - lots, at);
    }
    if (this.#taken.length > 0) this.#settle(ticks);
  }

  /** Overlays a quote, size 0 for an empty side; the first sign of a book is no change. */
  quote(ticks: number, lots: number, at: number, first: boolean): void {
    const previous = this.#quoteKey;
    const previousLots = this.#quoteLots;
    const key = lots > 0 ? this.sign * ticks : NO_KEY;
    this.#quoteKey = key;
    this.#quoteLots = lots;
    if (this.changed !== undefined) this.changed.noteFrom(Math.min(previous, key));
    if (!first) {
      this.#lostAt(previous, previousLots, at);
      if (key < previous) this.#hidden(key, previous, at);
    }
    if (this.#taken.length === 0) return;
    this.#settle(ticks);
    if (Number.isFinite(previous)) this.#settle(this.sign * previous);
    while (this.#taken.length > 0 && this.sign * this.#taken.ticksAt(0) > key) {
      this.#taken.set(this.#taken.ticksAt(0), 0);
    }
  }

  /** Removes the quote. */
  unquote(at: number): void {
    const previous = this.#quoteKey;
    this.#quoteKey = NO_QUOTE;
    if (this.changed !== undefined) this.changed.noteFrom(previous);
    if (!this.#isAwaitingSnapshot) this.#lostAt(previous, this.#quoteLots, at);
    if (this.#taken.length > 0 && Number.isFinite(previous)) this.#settle(this.sign * previous);
  }

  /** Overlays what a print shows, with nothing taken yet. */
  print(ticks: number, lots: number): void {
    this.#taken.clear();
    this.#quoteKey = lots > 0 ? this.sign * ticks : NO_KEY;
    this.#quoteLots = lots;
    this.#printed = true;
  }

  /** Forgets a print and what was taken of it. */
  forgetPrint(): void {
    this.#taken.clear();
    this.#printed = false;
    this.#quoteKey = NO_QUOTE;
  }

  /** Marks the depth as unknown. */
  lose(): void {
    this.blind = true;
    this.#isAwaitingSnapshot = false;
    if (this.changed !== undefined) this.changed.noteFrom(NO_KEY);
  }

  /** Records the displayed lots, as a snapshot is about to empty the depth. */
  remember(): void {
    if (this.#isAwaitingSnapshot) return;
    this.#isAwaitingSnapshot = true;
    this.#previousBlind = this.blind;
    this.#previousQuoteKey = this.#quoteKey;
    this.#previousQuoteLots = this.#quoteLots;
    this.#previous.length = 0;
    for (let rank = 0; rank < this.depth.length && !this.blind; rank += 1) {
      const key = this.sign * this.depth.ticksAt(rank);
      this.#previous.push({ key, lots: this.depth.lotsAt(rank) });
    }
  }

  /** Marks the depth as unknown until the snapshot that emptied it is complete. */
  hide(): void {
    this.blind = true;
    if (this.changed !== undefined) this.changed.noteFrom(NO_KEY);
  }

  /** Marks the depth as known after a complete snapshot. */
  reveal(at: number): void {
    this.blind = false;
    if (this.changed !== undefined) this.changed.noteFrom(NO_KEY);
    if (this.#isAwaitingSnapshot) {
      this.#isAwaitingSnapshot = false;
      const quote = this.#previousQuoteKey;
      this.#lostAt(quote, this.#previousQuoteLots, at);
      if (this.#previousBlind) this.#echo.shrank(NO_KEY, quote - 1, Number.POSITIVE_INFINITY, at);
      for (const { key, lots } of this.#previous.reverse()) {
        if (key < quote) this.#lostAt(key, lots, at);
      }
      this.#previous.length = 0;
    }
    for (let rank = this.#taken.length - 1; rank >= 0; rank -= 1) {
      this.#settle(this.#taken.ticksAt(rank));
    }
  }

  /** Notes lots lost at a key that showed `before`; nothing without a price. */
  #lostAt(key: number, before: number, at: number): void {
    if (!Number.isFinite(key)) return;
    const lost = before - this.shown(this.sign * key);
    if (lost > 0) this.#echo.shrank(key, key, lost, at);
  }

  /** Notes what was lost from a new quote's key on up to the key of the one before. */
  #hidden(key: number, previous: number, at: number): void {
    if (this.blind) {
      this.#echo.shrank(key, previous - 1, Number.POSITIVE_INFINITY, at);
      return;
    }
    for (let rank = 0; rank < this.depth.length; rank += 1) {
      const level = this.sign * this.depth.ticksAt(rank);
      if (level < key) return;
      if (level < previous) this.#lostAt(level, this.depth.lotsAt(rank), at);
    }
  }

  /**
   * Limits the taken lots at a price to those shown there: the remainder of a level that shrinks
   * counts as taken, growth is offered, and a level that is gone is forgotten.
   */
  #settle(ticks: number): void {
    const taken = this.#taken.lotsOf(ticks);
    if (taken === 0) return;
    const shown = this.shown(ticks);
    if (taken > shown) this.#taken.set(ticks, shown);
  }

  /**
   * Public lots at a price: the recorded ones less those taken. A print is over and shows nothing.
   */
  displayed(ticks: number): number {
    const key = this.sign * ticks;
    if (this.#printed || key > this.#quoteKey) return 0;
    const known = this.blind ? 0 : this.depth.lotsOf(ticks);
    const shown = key === this.#quoteKey ? this.#quoteLots : known;
    return Math.max(0, shown - this.#takenAt(key));
  }

  /** Moves the cursor to the best public level. */
  show(): void {
    this.start();
    if (this.#printed) this.key = NO_KEY;
  }

  /** True if the recorded market shows something at a price or better, taken or not. */
  reaches(ticks: number): boolean {
    const key = this.sign * ticks;
    if (this.#quoteKey !== NO_QUOTE) return this.#quoteKey >= key;
    return !this.blind && this.depth.length > 0 && this.sign * this.depth.ticksAt(0) >= key;
  }

  /** Lots that own orders have taken at a price since the recorded market changed there. */
  taken(ticks: number): number {
    return this.#taken.lotsOf(ticks);
  }

  /** Moves the cursor to the best level with available lots. */
  start(): void {
    this.#rank = 0;
    if (this.#quoteKey < NO_QUOTE && this.#quoteKey > NO_KEY) {
      this.key = this.#quoteKey;
      this.open = this.#quoteLots - this.#takenAt(this.key);
      if (this.open > 0) return;
    }
    this.#next();
  }

  /** Takes lots from the level under the cursor, and moves on if nothing is left there. */
  take(lots: number): void {
    const ticks = this.sign * this.key;
    if (this.changed !== undefined) this.changed.note(this.key);
    this.#taken.set(ticks, this.#taken.lotsOf(ticks) + lots);
    this.open -= lots;
    if (this.open === 0) this.#next();
  }

  /** Moves the cursor on without taking, to count available lots. */
  pass(): void {
    this.#next();
  }

  #next(): void {
    this.open = 0;
    this.key = NO_KEY;
    if (this.blind || this.#quoteKey === NO_KEY) return;
    for (; this.#rank < this.depth.length; this.#rank += 1) {
      const key = this.sign * this.depth.ticksAt(this.#rank);
      if (key >= this.#quoteKey) continue;
      const open = this.depth.lotsAt(this.#rank) - this.#takenAt(key);
      if (open <= 0) continue;
      this.key = key;
      this.open = open;
      this.#rank += 1;
      return;
    }
  }

  #takenAt(key: number): number {
    return this.#taken.length === 0 ? 0 : this.#taken.lotsOf(this.sign * key);
  }
}
