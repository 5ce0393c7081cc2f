/** Keys in a window: a power of two that three rows of bits of 32 cover. */
export const WINDOW = 1 << 15;

/**
 * Levels whose keys lie in a range, each at its own place in an array, so that none is searched for
 * and none moves. Three rows of bits say which places are taken, each bit of a row for 32 of the
 * row below it, by which the next level is found in a few steps. Places count from 0 at the lowest
 * key; whoever uses the window knows which key that is.
 */
export class LevelWindow {
  length = 0;
  /** Place of the greatest key, -1 when the window is empty. */
  best = -1;
  readonly sizes = new Float64Array(WINDOW);
  readonly #bits = new Int32Array(WINDOW >> 5);
  readonly #words = new Int32Array(WINDOW >> 10);
  #rows = 0;
  /** The level that was read last by its rank: those who read one after the other go on from there. */
  #rank = 0;
  #index = -1;

  /** Sets the size at a place, 0 to remove the level; gives the size before. */
  set(index: number, lots: number): number {
    const before = this.sizes[index];
    this.sizes[index] = lots;
    if (lots === 0) {
      if (before !== 0) this.#remove(index);
    } else if (before === 0) this.#insert(index);
    return before;
  }

  /** Place of the level `rank` places from the best; it must be there. */
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

  /** What is read next by its rank begins at the best, unless the change was behind what was read. */
  #moved(index: number): void {
    if (index < this.#index) return;
    this.#rank = 0;
    this.#index = this.best;
  }

  /** Place of the next level below a place, -1 when there is none. */
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

  /** The last place that is taken of a word of bits that are not all 0. */
  #lastOf(word: number): number {
    return (word << 5) + 31 - Math.clz32(this.#bits[word]);
  }
}
