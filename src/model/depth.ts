import { LevelWindow, WINDOW } from './level-window.ts';
import { SortedLevels } from './sorted-levels.ts';
import type { Lots, Ticks } from './units.ts';

/**
 * Sides with fewer levels, or fewer changes, stay sorted: a window would cost more memory than it
 * saves time.
 */
const WINDOW_LEVELS = 128;
const WINDOW_CHANGES = 512;
/** Positions above the best in a new window; the rest is below it. */
const HEADROOM = WINDOW >> 3;

/**
 * One side of an aggregated book: prices with their sizes, best first. Keys are prices times the
 * sign of the side, so that both sides rise towards their best and share the code.
 *
 * A side of many levels keeps those around its best in a window, indexed by price, and all others
 * sorted. The window is rebuilt when as many changes as there are levels have missed it, so that
 * its cost per change is constant.
 */
export class DepthSide {
  readonly #sign: 1 | -1;
  readonly #sorted = new SortedLevels();
  #window: LevelWindow | undefined;
  /** Key of the window's first position. */
  #base = 0;
  /** Number of sorted levels that are better than the window. */
  #above = 0;
  /** Changes that missed the window since it was built. */
  #missed = 0;

  constructor(side: 'bid' | 'ask') {
    this.#sign = side === 'bid' ? 1 : -1;
  }

  /** Number of levels. */
  get length(): number {
    const window = this.#window;
    return window === undefined ? this.#sorted.length : this.#sorted.length + window.length;
  }

  /** Price of the level at that index, the best being 0; NaN if there are fewer. */
  ticksAt(level: number): Ticks {
    const window = this.#window;
    // Without the addition a price of 0 would be -0 on the side with negated keys.
    if (window === undefined) {
      return (
        level < this.#sorted.length ? this.#sign * this.#sorted.keyAt(level) + 0 : Number.NaN
      ) as Ticks;
    }
    if (level === 0 && this.#above === 0 && window.length > 0) {
      return (this.#sign * (this.#base + window.best) + 0) as Ticks;
    }
    return (this.#sign * this.#keyAt(window, level) + 0) as Ticks;
  }

  /** Size of the level at that index, the best being 0; 0 if there are fewer. */
  lotsAt(level: number): Lots {
    const window = this.#window;
    if (window === undefined) {
      return (level < this.#sorted.length ? this.#sorted.lotsAt(level) : 0) as Lots;
    }
    if (level === 0 && this.#above === 0 && window.length > 0) {
      return window.sizes[window.best] as Lots;
    }
    return this.#lotsIn(window, level) as Lots;
  }

  /** Size at a price, 0 if there is no such level. */
  lotsOf(ticks: number): Lots {
    const key = this.#sign * ticks;
    const window = this.#window;
    const index = key - this.#base;
    if (window !== undefined && index >= 0 && index < WINDOW) return window.sizes[index] as Lots;
    return this.#sorted.lotsOf(key) as Lots;
  }

  /**
   * Sets the size at a price, 0 to remove the level; returns the size before. Both are whole
   * numbers, the size not negative; readers of input check that, as this code is too hot.
   */
  set(ticks: number, lots: number): number {
    const key = this.#sign * ticks;
    const window = this.#window;
    const index = key - this.#base;
    if (window !== undefined && index >= 0 && index < WINDOW) return window.set(index, lots);
    return this.#setSorted(key, lots);
  }

  clear(): void {
    this.#sorted.length = 0;
    this.#window?.clear();
    this.#above = 0;
  }

  /** Key of a level by its index, with a window; NaN if there are fewer levels. */
  #keyAt(window: LevelWindow, level: number): number {
    if (level >= this.length) return Number.NaN;
    if (level < this.#above) return this.#sorted.keyAt(level);
    const index = level - this.#above;
    return index < window.length
      ? this.#base + window.indexAt(index)
      : this.#sorted.keyAt(level - window.length);
  }

  /** Size of a level by its index, with a window; 0 if there are fewer levels. */
  #lotsIn(window: LevelWindow, level: number): number {
    if (level >= this.length) return 0;
    if (level < this.#above) return this.#sorted.lotsAt(level);
    const index = level - this.#above;
    return index < window.length
      ? window.sizes[window.indexAt(index)]
      : this.#sorted.lotsAt(level - window.length);
  }

  #setSorted(key: number, lots: number): number {
    const { length } = this.#sorted;
    const before = this.#sorted.set(key, lots);
    if (this.#window !== undefined && key > this.#base) {
      this.#above += this.#sorted.length - length;
    }
    this.#missed += 1;
    if (this.#missed >= WINDOW_CHANGES && this.#missed >= this.length) this.#lay();
    return before;
  }

  /**
   * Builds the window around the best, unless it is there already or the side has too few levels.
   */
  #lay(): void {
    this.#missed = 0;
    const { length } = this;
    if (length < WINDOW_LEVELS) return;
    const best = this.#sign * this.ticksAt(0);
    const index = best - this.#base;
    if (this.#window !== undefined && index >= WINDOW / 2 && index < WINDOW) return;
    const levels: (readonly [key: number, lots: number])[] = [];
    for (let level = 0; level < length; level += 1) {
      levels.push([this.#sign * this.ticksAt(level), this.lotsAt(level)]);
    }
    this.clear();
    this.#window ??= new LevelWindow();
    this.#base = best + HEADROOM - WINDOW + 1;
    // From the worst on, so that each insertion is at the end.
    for (const [key, lots] of levels.reverse()) {
      const at = key - this.#base;
      if (at >= 0) this.#window.set(at, lots);
      else this.#sorted.set(key, lots);
    }
  }
}

/** An aggregated book of both sides, from a feed of levels. */
export class Depth {
  readonly bids = new DepthSide('bid');
  readonly asks = new DepthSide('ask');
  /** True after a gap, and at the start, until the next snapshot. */
  stale = true;
  /** The venue's update id of the last change, 0 without one. */
  sequence = 0;

  clear(): void {
    this.bids.clear();
    this.asks.clear();
  }
}
