import { DepthSide } from '../../model/depth.ts';
import type { ChangedLevels } from '../book/changed-levels.ts';
import { signOf } from '../orders/side.ts';
import { TradeDepthMatcher } from './trade-depth-matcher.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;
const NO_QUOTE = Number.POSITIVE_INFINITY;

/**
 * One side of what the recorded market shows: its depth, over it the latest quote where that is
 * newer, and beside it what own takers have taken out of displayed levels. Keys are prices times
 * the sign of the side, so that the greatest is the best.
 *
 * It is its own cursor: `start` and `take` walk from the best level on through what is still open.
 */
export class RecordedSide {
  declare readonly sign: 1 | -1;
  declare readonly depth: DepthSide;
  /** Where to say what changes of what is displayed, if anybody wants to know. */
  changed: ChangedLevels | undefined;
  /** True while the depth is not known: at the start, after a gap, within a snapshot. */
  blind = true;
  /** Key of the best price by the latest quote: NO_QUOTE without one, NO_KEY when it says that the side is empty. */
  #quoteKey = NO_QUOTE;
  #quoteLots = 0;
  /** True when the quote is made of a print: it shows what was available, not who is in a queue. */
  #printed = false;
  /** Lots taken by own orders, by price: of what is shown there so many are not offered again. */
  readonly #taken: DepthSide;
  /** Which losses of the display and which prints are the same trade. */
  readonly #echo = new TradeDepthMatcher();
  /** What was shown before the snapshot that is under way, if anything is to be compared with it. */
  #isAwaitingSnapshot = false;
  readonly #previous: { readonly key: number; readonly lots: number }[] = [];
  #previousBlind = true;
  #previousQuoteKey = NO_QUOTE;
  #previousQuoteLots = 0;

  /** Where the cursor stands, -Infinity at the end; and what is open there. */
  key = NO_KEY;
  open = 0;
  #rank = 0;

  constructor(side: number, depth: DepthSide) {
    this.sign = signOf(side);
    this.depth = depth;
    this.#taken = new DepthSide(this.sign === 1 ? 'bid' : 'ask');
  }

  /** Price of the quote; not finite where there is none or it says that the side is empty. */
  get quoteTicks(): number {
    return this.sign * this.#quoteKey;
  }

  /** The size that the recorded market shows at a price, +Infinity where it is not known. */
  shown(ticks: number): number {
    if (this.#printed) return Number.POSITIVE_INFINITY;
    const key = this.sign * ticks;
    if (key > this.#quoteKey) return 0;
    if (key === this.#quoteKey) return this.#quoteLots;
    return this.blind ? Number.POSITIVE_INFINITY : this.depth.lotsOf(ticks);
  }

  /** A print at a price; gives how many of its lots the display had lost before. */
  counted(ticks: number, lots: number, at: number): number {
    return this.#echo.counted(this.sign * ticks, lots, at);
  }

  /** Lots of a print that went from the queue at a price before the display lost them. */
  passed(ticks: number, lots: number, at: number): void {
    this.#echo.ahead(this.sign * ticks, lots, at);
  }

  /** An order comes to rest at a price; gives the lots lost there lately whose print may still come. */
  joined(ticks: number, at: number): number {
    this.#echo.forget(this.sign * ticks, at);
    return this.pending(ticks, at);
  }

  /** Lots that the display lost lately at a price and whose print may still come. */
  pending(ticks: number, at: number): number {
    return this.#echo.pending(this.sign * ticks, at);
  }

  /** A level of the depth was set, which had so many lots before. */
  changedAt(ticks: number, before: number, lots: number, at: number): void {
    if (this.changed !== undefined) this.changed.note(this.sign * ticks);
    if (before > lots && !this.blind) {
      const key = this.sign * ticks;
      if (key < this.#quoteKey) this.#echo.shrank(key, key, before - lots, at);
    }
    if (this.#taken.length > 0) this.#settle(ticks);
  }

  /** Lays a quote over the depth, size 0 for an empty side; the first sign of a book is no change. */
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

  /** Takes the quote off the depth. */
  unquote(at: number): void {
    const previous = this.#quoteKey;
    this.#quoteKey = NO_QUOTE;
    if (this.changed !== undefined) this.changed.noteFrom(previous);
    if (!this.#isAwaitingSnapshot) this.#lostAt(previous, this.#quoteLots, at);
    if (this.#taken.length > 0 && Number.isFinite(previous)) this.#settle(this.sign * previous);
  }

  /** Lays over the depth what a print shows; nothing of it is taken yet. */
  print(ticks: number, lots: number): void {
    this.#taken.clear();
    this.#quoteKey = lots > 0 ? this.sign * ticks : NO_KEY;
    this.#quoteLots = lots;
    this.#printed = true;
  }

  /** Forgets what a print showed and what was taken of it. */
  forgetPrint(): void {
    this.#taken.clear();
    this.#printed = false;
    this.#quoteKey = NO_QUOTE;
  }

  /** Makes the depth unknown. */
  lose(): void {
    this.blind = true;
    this.#isAwaitingSnapshot = false;
    if (this.changed !== undefined) this.changed.noteFrom(NO_KEY);
  }

  /** Keeps what is shown, as a snapshot is about to empty the depth. */
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

  /** The depth was emptied for a snapshot: it is not known until that is complete. */
  hide(): void {
    this.blind = true;
    if (this.changed !== undefined) this.changed.noteFrom(NO_KEY);
  }

  /** A snapshot is complete: the depth is known again. */
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

  /** Notes what was lost at a key where so many lots were shown before; without a price, nothing. */
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
   * No more is taken at a price than is shown there: what remains of a level that shrinks counts as
   * what was taken, what a level grows by is offered, and of a level that goes nothing is kept.
   */
  #settle(ticks: number): void {
    const taken = this.#taken.lotsOf(ticks);
    if (taken === 0) return;
    const shown = this.shown(ticks);
    if (taken > shown) this.#taken.set(ticks, shown);
  }

  /** Lots that everybody sees at a price: what is shown, less what was taken. A print is over, and shows nothing. */
  displayed(ticks: number): number {
    const key = this.sign * ticks;
    if (this.#printed || key > this.#quoteKey) return 0;
    const known = this.blind ? 0 : this.depth.lotsOf(ticks);
    const shown = key === this.#quoteKey ? this.#quoteLots : known;
    return Math.max(0, shown - this.#takenAt(key));
  }

  /** Puts the cursor on the best level that everybody sees. */
  show(): void {
    this.start();
    if (this.#printed) this.key = NO_KEY;
  }

  /** True when the recorded market shows something at a price or better, taken or not. */
  reaches(ticks: number): boolean {
    const key = this.sign * ticks;
    if (this.#quoteKey !== NO_QUOTE) return this.#quoteKey >= key;
    return !this.blind && this.depth.length > 0 && this.sign * this.depth.ticksAt(0) >= key;
  }

  /** Lots that own orders have taken at a price since the recorded market changed there. */
  taken(ticks: number): number {
    return this.#taken.lotsOf(ticks);
  }

  /** Puts the cursor on the best level that has something open. */
  start(): void {
    this.#rank = 0;
    if (this.#quoteKey < NO_QUOTE && this.#quoteKey > NO_KEY) {
      this.key = this.#quoteKey;
      this.open = this.#quoteLots - this.#takenAt(this.key);
      if (this.open > 0) return;
    }
    this.#next();
  }

  /** Takes lots from the level under the cursor, and moves on when nothing is left there. */
  take(lots: number): void {
    const ticks = this.sign * this.key;
    if (this.changed !== undefined) this.changed.note(this.key);
    this.#taken.set(ticks, this.#taken.lotsOf(ticks) + lots);
    this.open -= lots;
    if (this.open === 0) this.#next();
  }

  /** Moves the cursor on without taking: to count what could be taken. */
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
