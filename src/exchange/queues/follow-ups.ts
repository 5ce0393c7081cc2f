/**
 * Work that trades cause, done after the order that made them, first come first served. It may
 * append more.
 */
export class FollowUps<T> {
  #items: T[] = [];
  #next = 0;

  get length(): number {
    return this.#items.length - this.#next;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the first item, undefined if there is none. */
  shift(): T | undefined {
    if (this.#next < this.#items.length) return this.#items[this.#next++];
    if (this.#next > 0) {
      this.#items = [];
      this.#next = 0;
    }
    return undefined;
  }
}
