/** The latest items of a list: a ring, oldest first. */
export class RecentItems<T> {
  readonly #capacity: number;
  readonly #items: T[] = [];
  #first = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Appends an item; if the ring is full, the oldest is dropped. */
  push(item: T): void {
    if (this.#items.length < this.#capacity) {
      this.#items.push(item);
      return;
    }
    this.#items[this.#first] = item;
    this.#first = this.#first + 1 === this.#capacity ? 0 : this.#first + 1;
  }

  /** The item at a rank, 0 for the oldest. */
  at(rank: number): T {
    const index = this.#first + rank;
    return this.#items[index < this.#items.length ? index : index - this.#items.length];
  }
}
