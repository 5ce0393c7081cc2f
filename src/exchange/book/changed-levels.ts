import { grown } from '../queues/grown.ts';

/**
 * Where a side of a book may have changed since the last `clear`. Keys are prices times the sign of
 * the side, so that better prices have greater keys.
 */
export class ChangedLevels {
  /** Number of single keys. */
  count = 0;
  /** All keys from this one on, inclusive; +Infinity for none. */
  fromKey = Number.POSITIVE_INFINITY;
  #keys = new Float64Array(64);
  readonly #onFirst: () => void;

  /** `onFirst` is called at the first change after each `clear`. */
  constructor(onFirst: () => void) {
    this.#onFirst = onFirst;
  }

  /** A key at which the size may have changed. */
  key(index: number): number {
    return this.#keys[index];
  }

  /** Notes that the size at a key may have changed. */
  note(key: number): void {
    const { count } = this;
    if (count === 0) {
      if (this.fromKey === Number.POSITIVE_INFINITY) this.#onFirst();
    } else if (this.#keys[count - 1] === key) return;
    if (count === this.#keys.length) this.#keys = grown(this.#keys);
    this.#keys[count] = key;
    this.count = count + 1;
  }

  /** Notes that sizes at a key and at all greater ones may have changed. */
  noteFrom(key: number): void {
    if (key >= this.fromKey) return;
    if (this.count === 0 && this.fromKey === Number.POSITIVE_INFINITY) this.#onFirst();
    this.fromKey = key;
  }

  clear(): void {
    this.count = 0;
    this.fromKey = Number.POSITIVE_INFINITY;
  }
}
