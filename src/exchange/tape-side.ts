import { DepthSide } from '../model/depth.ts';
import { signOf } from './side.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;
const NO_QUOTE = Number.POSITIVE_INFINITY;

/**
 * One side of what the recorded market shows: its depth, over it the latest quote where that is
 * newer, and beside it what own takers have taken out of displayed levels. Keys are prices times
 * the sign of the side, so that the greatest is the best.
 *
 * It is its own cursor: `start` and `take` walk from the best level on through what is still open.
 */
export class TapeSide {
  readonly sign: 1 | -1;
  readonly depth: DepthSide;
  /** True while the depth is not known: at the start, after a gap, within a snapshot. */
  blind = true;
  /** Key of the best price by the latest quote: NO_QUOTE without one, NO_KEY when it says that the side is empty. */
  #quoteKey = NO_QUOTE;
  #quoteLots = 0;
  /** True when the quote is made of a print: it tells what could be had, not who stands in a queue. */
  #printed = false;
  /** Lots taken by own orders, by price, until the tape changes the level. */
  readonly #taken: DepthSide;

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

  /** The size that the tape shows at a price, +Infinity where it is not known. */
  shown(ticks: number): number {
    if (this.#printed) return Number.POSITIVE_INFINITY;
    const key = this.sign * ticks;
    if (key > this.#quoteKey) return 0;
    if (key === this.#quoteKey) return this.#quoteLots;
    return this.blind ? Number.POSITIVE_INFINITY : this.depth.lotsOf(ticks);
  }

  /** Sets a level of the depth. */
  set(ticks: number, lots: number): void {
    const before = this.depth.set(ticks, lots);
    if (this.#taken.length > 0 && before !== lots && this.sign * ticks !== this.#quoteKey) {
      this.#taken.set(ticks, 0);
    }
  }

  /** Lays a quote over the depth, size 0 for an empty side. */
  quote(ticks: number, lots: number): void {
    const key = lots > 0 ? this.sign * ticks : NO_KEY;
    const replaced = this.#quoteKey;
    const replacedLots = this.#quoteLots;
    const before = this.#taken.length === 0 ? lots : this.shown(ticks);
    this.#printed = false;
    this.#quoteKey = key;
    this.#quoteLots = lots;
    if (this.#taken.length === 0) return;
    if (before !== lots) this.#taken.set(ticks, 0);
    this.#settle(replaced, replacedLots);
    while (this.#taken.length > 0 && this.sign * this.#taken.ticksAt(0) > key) {
      this.#taken.set(this.#taken.ticksAt(0), 0);
    }
  }

  /** Takes the quote off the depth. */
  unquote(): void {
    const key = this.#quoteKey;
    this.#printed = false;
    this.#quoteKey = NO_QUOTE;
    this.#settle(key, this.#quoteLots);
  }

  /** Lays over the depth what a print shows; nothing of it is taken yet. */
  print(ticks: number, lots: number): void {
    this.#taken.clear();
    this.quote(ticks, lots);
    this.#printed = true;
  }

  /** Forgets the depth, and what was taken of it. */
  clear(): void {
    this.depth.clear();
    const taken = this.#takenAt(this.#quoteKey);
    this.#taken.clear();
    if (taken > 0) this.#taken.set(this.quoteTicks, taken);
  }

  /** What was taken at a former quote's price counts on only where the size there is still the same. */
  #settle(key: number, lots: number): void {
    if (this.#taken.length === 0 || !Number.isFinite(key)) return;
    const ticks = this.sign * key;
    if (this.shown(ticks) !== lots) this.#taken.set(ticks, 0);
  }

  /** True when the tape shows something at a price or better, taken or not. */
  reaches(ticks: number): boolean {
    const key = this.sign * ticks;
    if (this.#quoteKey !== NO_QUOTE) return this.#quoteKey >= key;
    return !this.blind && this.depth.length > 0 && this.sign * this.depth.ticksAt(0) >= key;
  }

  /** Lots that own orders have taken at a price since the tape changed there. */
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
