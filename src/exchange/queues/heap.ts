import { grown } from './grown.ts';

/** A binary heap of numbers, the first on top; its owner orders them and records their indices. */
export class Heap {
  #items = new Int32Array(64);
  #length = 0;
  readonly #isBefore: (a: number, b: number) => boolean;
  readonly #setIndex: (item: number, index: number) => void;

  constructor(
    isBefore: (a: number, b: number) => boolean,
    setIndex: (item: number, index: number) => void,
  ) {
    this.#isBefore = isBefore;
    this.#setIndex = setIndex;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** The first item, which must exist. */
  get first(): number {
    return this.#items[0];
  }

  add(item: number): void {
    if (this.#length === this.#items.length) this.#items = grown(this.#items);
    this.#length += 1;
    this.#rise(this.#length - 1, item);
  }

  /** Removes the item at an index. */
  remove(index: number): void {
    this.#length -= 1;
    if (index === this.#length) return;
    const moved = this.#items[this.#length];
    this.#sink(index, moved);
    if (this.#items[index] === moved) this.#rise(index, moved);
  }

  #rise(from: number, item: number): void {
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!this.#isBefore(item, this.#items[parent])) break;
      this.#put(hole, this.#items[parent]);
      hole = parent;
    }
    this.#put(hole, item);
  }

  #sink(from: number, item: number): void {
    const items = this.#items;
    let hole = from;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= this.#length) break;
      if (child + 1 < this.#length && this.#isBefore(items[child + 1], items[child])) child += 1;
      if (!this.#isBefore(items[child], item)) break;
      this.#put(hole, items[child]);
      hole = child;
    }
    this.#put(hole, item);
  }

  #put(index: number, item: number): void {
    this.#items[index] = item;
    this.#setIndex(item, index);
  }
}
