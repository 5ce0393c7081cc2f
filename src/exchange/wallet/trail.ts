/** Entries of which every second one may be out of date before they are cleared away. */
const STALE_MAX = 64;

/**
 * Transactions in the order of their latest change, each once. A change puts one at the end and
 * leaves its old entry behind, which is passed over and now and then cleared away, so that a change
 * costs the same however many there are.
 */
export class Trail {
  #ids: number[] = [];
  #times: number[] = [];
  readonly #places = new Map<number, number>();

  /** Number of entries, those out of date included. */
  get length(): number {
    return this.#ids.length;
  }

  /** The transaction of an entry, `undefined` when the entry is out of date. */
  id(place: number): number | undefined {
    const id = this.#ids[place];
    return this.#places.get(id) === place ? id : undefined;
  }

  /** Time of the change of an entry; it never falls from one entry to the next. */
  time(place: number): number {
    return this.#times[place];
  }

  /** Notes a change. */
  note(id: number, time: number): void {
    this.#places.set(id, this.#ids.length);
    this.#ids.push(id);
    this.#times.push(time);
    const stale = this.#ids.length - this.#places.size;
    if (stale > STALE_MAX && stale > this.#places.size) this.#clear();
  }

  #clear(): void {
    const ids = this.#ids;
    const times = this.#times;
    this.#ids = [];
    this.#times = [];
    ids.forEach((id, place) => {
      if (this.#places.get(id) !== place) return;
      this.#places.set(id, this.#ids.length);
      this.#ids.push(id);
      this.#times.push(times[place]);
    });
  }
}
