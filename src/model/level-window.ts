/** Keys in a window: a power of two that three layers of 32-bit words cover. */
export const WINDOW = 1 << 15;

/**
 * Levels whose keys are in a range, each at its own index in an array, so that none is searched for
 * and none moves. Three layers of bits mark the used indices, each bit of a layer for 32 of the
 * layer below, so that the next level is found in a few steps. Indices count from 0 at the lowest
 * key, which the owner knows.
 */
export class LevelWindow {
  length = 0;
  /** Index of the greatest key, -1 if the window is empty. */
  best = -1;
  readonly sizes = new Float64Array(WINDOW);
  readonly #bits = new Int32Array(WINDOW >> 5);
  readonly #words = new Int32Array(WINDOW >> 10);
  #rows = 0;
  /** Rank of the last level read: sequential reads continue from it. */
  #rank = 0;
  #index = -1;

  /** Sets the size at an index, 0 to remove the level; returns the size before. */
  set(index: number, lots: number): number {
    const before = this.sizes[index];
    this.sizes[index] = lots;
    if (lots === 0) {
      if (before !== 0) this.#remove(index);
    } else if (before === 0) this.#insert(index);
    return before;
  }

  /** Index of the level at that rank, the best being 0; the level must exist. */
  indexAt(rank: number): number {
    if (rank === 0) return this.best;
    if (rank < this.#rank) {
      this.#rank = 0;
      this.#index = this.best;
    }
    while (this.#rank < rank) {
      this.#index = this.#below(this.#index);
      this.#rank += 1;
    }
    return this.#index;
  }

  clear(): void {
    for (let index = this.best; index >= 0; index = this.#below(index)) this.sizes[index] = 0;
    this.#bits.fill(0);
    this.#words.fill(0);
    this.#rows = 0;
    this.length = 0;
    this.best = -1;
    this.#moved(WINDOW);
  }

  #insert(index: number): void {
    const word = index >>> 5;
    const row = index >>> 10;
    this.#bits[word] |= 1 << (index & 31);
    this.#words[row] |= 1 << (word & 31);
    this.#rows |= 1 << row;
    this.length += 1;
    if (index > this.best) this.best = index;
    this.#moved(index);
  }

  #remove(index: number): void {
    const word = index >>> 5;
    const row = index >>> 10;
    this.length -= 1;
    this.#bits[word] &= ~(1 << (index & 31));
    if (this.#bits[word] === 0) {
      this.#words[row] &= ~(1 << (word & 31));
      if (this.#words[row] === 0) this.#rows &= ~(1 << row);
    }
    if (index === this.best) this.best = this.#below(index);
    this.#moved(index);
  }

  /** Restarts reads by rank at the best, unless the change was behind the level read last. */
  #moved(index: number): void {
    if (index < this.#index) return;
    this.#rank = 0;
    this.#index = this.best;
  }

  /** Index of the next level below an index, -1 if there is none. */
  #below(index: number): number {
    const word = index >>> 5;
    const bits = this.#bits[word] & ((1 << (index & 31)) - 1);
    if (bits !== 0) return (word << 5) + 31 - Math.clz32(bits);
    const row = word >>> 5;
    const words = this.#words[row] & ((1 << (word & 31)) - 1);
    if (words !== 0) return this.#lastOf((row << 5) + 31 - Math.clz32(words));
    const rows = this.#rows & ((1 << row) - 1);
    if (rows === 0) return -1;
    const next = 31 - Math.clz32(rows);
    return this.#lastOf((next << 5) + 31 - Math.clz32(this.#words[next]));
  }

  /** Index of the highest set bit of a word, which is not 0. */
  #lastOf(word: number): number {
    return (word << 5) + 31 - Math.clz32(this.#bits[word]);
  }
}
