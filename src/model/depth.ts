import { LevelWindow, WINDOW } from './level-window.ts';
import { SortedLevels } from './sorted-levels.ts';
import type { Lots, Ticks } from './units.ts';

/** Sides of fewer levels, or of fewer changes, stay sorted: a window would take more memory than time. */
const WINDOW_LEVELS = 128;
const WINDOW_CHANGES = 512;
/** Places above the best when a window is laid; the rest is below it. */
const HEADROOM = WINDOW >> 3;

/**
 * One side of an aggregated book: prices with their sizes, best first. Keys are prices times the
 * sign of the side, which makes both sides rise towards their best and share every line.
 *
 * A side of many levels keeps those around its best in a window, where each price has its place,
 * and all others sorted. The window is rebuilt when as many changes as there are levels have
 * missed it, so that laying it costs no change more than a fixed part.
 */
export class DepthSide {
  readonly #sign: 1 | -1;
  readonly #sorted = new SortedLevels();
  #window: LevelWindow | undefined;
  /** Key of the first place of the window. */
  #base = 0;
  /** How many of the sorted levels are better than all of the window. */
  #above = 0;
  /** Changes that missed the window since it was laid. */
  #missed = 0;

  constructor(side: 'bid' | 'ask') {
    this.#sign = side === 'bid' ? 1 : -1;
  }

  /** Number of levels. */
  get length(): number {
    const window = this.#window;
    return window === undefined ? this.#sorted.length : this.#sorted.length + window.length;
  }

  /** Price of the level `rank` places from the best; NaN when there are not so many. */
  ticksAt(level: number): Ticks {
    const window = this.#window;
    // Without the addition a price of 0 is -0 on the side whose keys are negated.
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

  /** Size of the level `rank` places from the best; 0 when there are not so many. */
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

  /** Size at a price, 0 when there is no such level. */
  lotsOf(ticks: number): Lots {
    const key = this.#sign * ticks;
    const window = this.#window;
    const index = key - this.#base;
    if (window !== undefined && index >= 0 && index < WINDOW) return window.sizes[index] as Lots;
    return this.#sorted.lotsOf(key) as Lots;
  }

  /**
   * Sets the size at a price, 0 to remove the level; gives the size before. Both are whole numbers,
   * the size not negative: whoever reads them in checks that, this is too hot a place.
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

  /** Key of a level by its rank beside a window; NaN when there are not so many. */
  #keyAt(window: LevelWindow, level: number): number {
    if (level >= this.length) return Number.NaN;
    if (level < this.#above) return this.#sorted.keyAt(level);
    const index = level - this.#above;
    return index < window.length
      ? this.#base + window.indexAt(index)
      : this.#sorted.keyAt(level - window.length);
  }

  /** The same for its size; 0 when there are not so many. */
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

  /** Lays the window around the best, unless it lies there or there is little to lie in it. */
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
    // From the worst on, so that each that is sorted stands at the end.
    for (const [key, lots] of levels.reverse()) {
      const at = key - this.#base;
      if (at >= 0) this.#window.set(at, lots);
      else this.#sorted.set(key, lots);
    }
  }
}

/** An aggregated book of both sides, as a feed of levels keeps it. */
export class Depth {
  readonly bids = new DepthSide('bid');
  readonly asks = new DepthSide('ask');
  /** True from a gap, and from the very start, to the next snapshot. */
  stale = true;
  /** The venue's update id of the last change, 0 where it gives none. */
  sequence = 0;

  clear(): void {
    this.bids.clear();
    this.asks.clear();
  }
}
