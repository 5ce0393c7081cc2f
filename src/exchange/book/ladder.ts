import { grown } from '../queues/grown.ts';

/** Keys in one block; a split or an insertion moves at most this many. */
const SPAN = 64;

/**
 * Whole numbers in rising order, each with a small integer as value. Most insertions and removals
 * are at the end, which has the greatest key. Keys are in blocks, so that an insertion among a
 * million moves one block and, once in 32 times, a list of blocks.
 */
export class Ladder {
  #blockCount = 0;
  /** Indices of the blocks, in the order of their keys. */
  #blocks = new Int32Array(16);
  #lengths = new Int32Array(16);
  #keys = new Float64Array(16 * SPAN);
  #values = new Int32Array(16 * SPAN);
  /** Blocks not in use. */
  readonly #spare: number[] = [];
  #made = 0;

  /** The value at the greatest key, -1 if there is none. */
  last(): number {
    if (this.#blockCount === 0) return -1;
    const block = this.#blocks[this.#blockCount - 1];
    return this.#values[block * SPAN + this.#lengths[block] - 1];
  }

  /** The value at the greatest key below `key`, -1 if there is none. */
  below(key: number): number {
    const position = this.#indexOf(key);
    if (position < 0) return -1;
    const block = this.#blocks[position];
    const index = this.#indexIn(block, key);
    if (index > 0) return this.#values[block * SPAN + index - 1];
    if (position === 0) return -1;
    const before = this.#blocks[position - 1];
    return this.#values[before * SPAN + this.#lengths[before] - 1];
  }

  /** Adds a key that is not present. */
  insert(key: number, value: number): void {
    if (this.#blockCount === 0) this.#insertBlock(0);
    const index = Math.max(0, this.#indexOf(key));
    if (this.#lengths[this.#blocks[index]] === SPAN) {
      this.#split(index);
      this.insert(key, value);
      return;
    }
    const block = this.#blocks[index];
    const start = block * SPAN;
    const at = start + this.#indexIn(block, key);
    const end = start + this.#lengths[block];
    for (let i = end; i > at; i -= 1) {
      this.#keys[i] = this.#keys[i - 1];
      this.#values[i] = this.#values[i - 1];
    }
    this.#keys[at] = key;
    this.#values[at] = value;
    this.#lengths[block] += 1;
  }

  /** Removes a key that is present. */
  remove(key: number): void {
    const index = this.#indexOf(key);
    const block = this.#blocks[index];
    const start = block * SPAN;
    const end = start + this.#lengths[block] - 1;
    for (let i = start + this.#indexIn(block, key); i < end; i += 1) {
      this.#keys[i] = this.#keys[i + 1];
      this.#values[i] = this.#values[i + 1];
    }
    this.#lengths[block] -= 1;
    if (this.#lengths[block] > 0) return;
    this.#blocks.copyWithin(index, index + 1, this.#blockCount);
    this.#blockCount -= 1;
    this.#spare.push(block);
  }

  /** Index of the last block that begins at or below `key`, -1 if `key` is below all. */
  #indexOf(key: number): number {
    let low = 0;
    let high = this.#blockCount;
    if (high > 0 && this.#keys[this.#blocks[high - 1] * SPAN] <= key) return high - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[this.#blocks[middle] * SPAN] <= key) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The first index in a block whose key is not below `key`. */
  #indexIn(block: number, key: number): number {
    const start = block * SPAN;
    let low = start;
    let high = start + this.#lengths[block];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low - start;
  }

  #split(index: number): void {
    this.#insertBlock(index + 1);
    const from = this.#blocks[index] * SPAN;
    const block = this.#blocks[index + 1];
    const half = SPAN / 2;
    this.#keys.copyWithin(block * SPAN, from + half, from + SPAN);
    this.#values.copyWithin(block * SPAN, from + half, from + SPAN);
    this.#lengths[this.#blocks[index]] = half;
    this.#lengths[block] = half;
  }

  #insertBlock(index: number): void {
    const block = this.#spare.pop() ?? this.#made++;
    if (block === this.#lengths.length) this.#grow();
    this.#blocks.copyWithin(index + 1, index, this.#blockCount);
    this.#blocks[index] = block;
    this.#lengths[block] = 0;
    this.#blockCount += 1;
  }

  #grow(): void {
    this.#blocks = grown(this.#blocks);
    this.#lengths = grown(this.#lengths);
    this.#keys = grown(this.#keys);
    this.#values = grown(this.#values);
  }
}
