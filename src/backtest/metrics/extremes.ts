/**
 * The least of a sequence of values, from any index to its end. A value that a later one undercuts
 * can never be an answer again and is dropped, so the rest rises from the oldest to the newest, and
 * a binary search finds the answer.
 */
export class SuffixMinimum {
  #length = 0;
  readonly #indices: number[] = [];
  readonly #values: number[] = [];

  /** Number of values pushed so far; the index of the next one. */
  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    while (this.#values.length > 0 && this.#values[this.#values.length - 1] >= value) {
      this.#values.pop();
      this.#indices.pop();
    }
    this.#values.push(value);
    this.#indices.push(this.#length);
    this.#length += 1;
  }

  /** The least value from `index` to the newest; +Infinity if there is none. */
  from(index: number): number {
    let low = 0;
    let high = this.#indices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#indices[middle] < index) low = middle + 1;
      else high = middle;
    }
    return low < this.#values.length ? this.#values[low] : Number.POSITIVE_INFINITY;
  }
}
