/** Fewer entries move faster in a loop than by a block move. */
const SMALL_MAX = 48;

/**
 * Levels in two arrays sorted by rising key: a binary search finds one, and a change moves those
 * beyond it. The greatest is at the end, so that changes there move few.
 */
export class SortedLevels {
  length = 0;
  #keys = new Float64Array(64);
  #sizes = new Float64Array(64);

  /** Key of the entry at that index, the greatest being 0; it must exist. */
  keyAt(rank: number): number {
    return this.#keys[this.length - 1 - rank];
  }

  /** Size of the entry at that index, the greatest being 0; it must exist. */
  lotsAt(rank: number): number {
    return this.#sizes[this.length - 1 - rank];
  }

  /** Size at a key, 0 if there is none. */
  lotsOf(key: number): number {
    const index = this.#find(key);
    return index < this.length && this.#keys[index] === key ? this.#sizes[index] : 0;
  }

  /** Sets the size at a key, 0 to remove it; returns the size before. */
  set(key: number, lots: number): number {
    const index = this.#find(key);
    if (index < this.length && this.#keys[index] === key) {
      const before = this.#sizes[index];
      if (lots === 0) this.#remove(index);
      else this.#sizes[index] = lots;
      return before;
    }
    if (lots !== 0) this.#insert(index, key, lots);
    return 0;
  }

  /** The first index whose key is not below `key`. */
  #find(key: number): number {
    const keys = this.#keys;
    let low = 0;
    let high = this.length;
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
    const last = this.length - 1;
    this.length = last;
    if (last - index > SMALL_MAX) {
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
    if (this.length === this.#keys.length) this.#grow();
    const keys = this.#keys;
    const sizes = this.#sizes;
    if (this.length - index > SMALL_MAX) {
      keys.copyWithin(index + 1, index, this.length);
      sizes.copyWithin(index + 1, index, this.length);
    } else {
      for (let i = this.length; i > index; i -= 1) {
        keys[i] = keys[i - 1];
        sizes[i] = sizes[i - 1];
      }
    }
    keys[index] = key;
    sizes[index] = lots;
    this.length += 1;
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
