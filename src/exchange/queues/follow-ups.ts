/**
 * What trades have brought about and is done when the order that made them has finished, first come
 * first served. What it does may bring about more, which comes to the end.
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

  /** Takes the first item away, undefined when there is none. */
  shift(): T | undefined {
    if (this.#next < this.#items.length) return this.#items[this.#next++];
    if (this.#next > 0) {
      this.#items = [];
      this.#next = 0;
    }
    return undefined;
  }
}
