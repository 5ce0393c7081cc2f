import type { Lots, Ticks } from './units.ts';

/** So few entries move faster in a plain loop than by the call that moves many. */
const FEW = 48;

/**
 * One side of an aggregated book: prices with their sizes, the best at the end, so that the many
 * changes near the best move few entries. Prices of asks are kept negated, which makes both sides
 * rise towards their best and share every line.
 */
export class DepthSide {
  #length = 0;
  readonly #sign: 1 | -1;
  #keys = new Float64Array(1024);
  #sizes = new Float64Array(1024);

  constructor(side: 'bid' | 'ask') {
    this.#sign = side === 'bid' ? 1 : -1;
  }

  /** Number of levels. */
  get length(): number {
    return this.#length;
  }

  /** Price of the level `rank` places from the best; NaN when there are not so many. */
  ticksAt(rank: number): Ticks {
    return (
      rank < this.#length ? this.#sign * this.#keys[this.#length - 1 - rank] : Number.NaN
    ) as Ticks;
  }

  /** Size of the level `rank` places from the best; 0 when there are not so many. */
  lotsAt(rank: number): Lots {
    return (rank < this.#length ? this.#sizes[this.#length - 1 - rank] : 0) as Lots;
  }

  /** Size at a price, 0 when there is no such level. */
  lotsOf(ticks: number): Lots {
    const key = this.#sign * ticks;
    const index = this.#find(key);
    return (index < this.#length && this.#keys[index] === key ? this.#sizes[index] : 0) as Lots;
  }

  /**
   * Sets the size at a price, 0 to remove the level; gives the size before. Both are whole numbers,
   * the size not negative: whoever reads them in checks that, this is too hot a place.
   */
  set(ticks: number, lots: number): number {
    const key = this.#sign * ticks;
    const index = this.#find(key);
    if (index < this.#length && this.#keys[index] === key) {
      const before = this.#sizes[index];
      if (lots === 0) this.#remove(index);
      else this.#sizes[index] = lots;
      return before;
    }
    if (lots !== 0) this.#insert(index, key, lots);
    return 0;
  }

  clear(): void {
    this.#length = 0;
  }

  /** The first index whose key is not below `key`. */
  #find(key: number): number {
    const keys = this.#keys;
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #remove(index: number): void {
    const keys = this.#keys;
    const sizes = this.#sizes;
    const last = this.#length - 1;
    this.#length = last;
    if (last - index > FEW) {
      keys.copyWithin(index, index + 1, last + 1);
      sizes.copyWithin(index, index + 1, last + 1);
      return;
    }
    for (let i = index; i < last; i += 1) {
      keys[i] = keys[i + 1];
      sizes[i] = sizes[i + 1];
    }
  }

  #insert(index: number, key: number, lots: number): void {
    if (this.#length === this.#keys.length) this.#grow();
    const keys = this.#keys;
    const sizes = this.#sizes;
    if (this.#length - index > FEW) {
      keys.copyWithin(index + 1, index, this.#length);
      sizes.copyWithin(index + 1, index, this.#length);
    } else {
      for (let i = this.#length; i > index; i -= 1) {
        keys[i] = keys[i - 1];
        sizes[i] = sizes[i - 1];
      }
    }
    keys[index] = key;
    sizes[index] = lots;
    this.#length += 1;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    const sizes = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    sizes.set(this.#sizes);
    this.#keys = keys;
    this.#sizes = sizes;
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
