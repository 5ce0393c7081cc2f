import { NONE as NO_ORDER } from '../orders/orders.ts';

/** V8 inlines constants of this file and reads imported ones at each use. */
const NONE = NO_ORDER;

/** Finds the level at a key: a hash table with open addressing, cheaper than a search by order. */
export class LevelIndex {
  #keys = new Float64Array(64);
  /** Level plus one, 0 for a free entry. */
  #levels = new Int32Array(64);
  #count = 0;

  /** The level at a key, NONE if there is none. */
  find(key: number): number {
    const mask = this.#levels.length - 1;
    for (let index = hashOf(key) & mask; this.#levels[index] !== 0; index = (index + 1) & mask) {
      if (this.#keys[index] === key) return this.#levels[index] - 1;
    }
    return NONE;
  }

  /** Adds a key that is not present. */
  add(key: number, level: number): void {
    this.#count += 1;
    if (2 * this.#count > this.#levels.length) this.#grow();
    this.#put(key, level + 1);
  }

  /** Removes a key that is present. Entries behind it move up, so that no gap cuts them off. */
  remove(key: number): void {
    const mask = this.#levels.length - 1;
    let hole = hashOf(key) & mask;
    while (this.#keys[hole] !== key || this.#levels[hole] === 0) hole = (hole + 1) & mask;
    for (let index = (hole + 1) & mask; this.#levels[index] !== 0; index = (index + 1) & mask) {
      const home = hashOf(this.#keys[index]) & mask;
      if (((index - home) & mask) < ((index - hole) & mask)) continue;
      this.#keys[hole] = this.#keys[index];
      this.#levels[hole] = this.#levels[index];
      hole = index;
    }
    this.#levels[hole] = 0;
    this.#count -= 1;
  }

  #put(key: number, entry: number): void {
    const mask = this.#levels.length - 1;
    let index = hashOf(key) & mask;
    while (this.#levels[index] !== 0) index = (index + 1) & mask;
    this.#keys[index] = key;
    this.#levels[index] = entry;
  }

  #grow(): void {
    const [keys, levels] = [this.#keys, this.#levels];
    this.#keys = new Float64Array(2 * keys.length);
    this.#levels = new Int32Array(2 * levels.length);
    for (let index = 0; index < levels.length; index += 1) {
      if (levels[index] !== 0) this.#put(keys[index], levels[index]);
    }
  }
}

/** Neighboring prices, the common case, get distant entries. */
function hashOf(key: number): number {
  const mixed = Math.imul(key | 0, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
