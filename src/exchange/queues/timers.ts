const NEVER = Number.POSITIVE_INFINITY;

/**
 * What happens by time alone, soonest first: a binary heap of (time, kind, number). At equal times
 * kinds come in the order in which they were declared, and within a kind the lower number first, so
 * that the order never depends on when something was added. Orders that expire have a queue of
 * their own, `Expiries`, and come before all of this.
 */
export class TimerQueue {
  /** When the next is due, +Infinity when nothing is. */
  nextAt: number = NEVER;
  readonly #acts: Act[] = [];
  /** By ticket: when it is due, of which kind, with what number, and where it stands in the heap. */
  readonly #at: number[] = [];
  readonly #kind: number[] = [];
  readonly #number: number[] = [];
  readonly #place: number[] = [];
  /** Tickets by urgency, and those that may be given again. */
  readonly #heap: number[] = [];
  readonly #free: number[] = [];

  /** Declares a kind of thing that becomes due and what is done then; gives the kind's number. */
  kind(act: Act): number {
    return this.#acts.push(act) - 1;
  }

  /** Has something done at a time; gives a ticket by which that can be called off until it is done. */
  add(at: number, kind: number, number: number): number {
    const ticket = this.#free.pop() ?? this.#at.length;
    this.#at[ticket] = at;
    this.#kind[ticket] = kind;
    this.#number[ticket] = number;
    this.#rise(this.#heap.length, ticket);
    this.#note();
    return ticket;
  }

  /** Calls something off that has not been done. */
  remove(ticket: number): void {
    const hole = this.#place[ticket];
    const moved = this.#heap[this.#heap.length - 1];
    this.#heap.pop();
    if (moved !== ticket) {
      this.#sink(hole, moved);
      if (this.#heap[hole] === moved) this.#rise(hole, moved);
    }
    this.#free.push(ticket);
    this.#note();
  }

  /** Does what is due next; there is something. */
  run(): void {
    const ticket = this.#heap[0];
    const at = this.#at[ticket];
    const number = this.#number[ticket];
    const act = this.#acts[this.#kind[ticket]];
    this.remove(ticket);
    act(number, at);
  }

  #note(): void {
    this.nextAt = this.#heap.length === 0 ? NEVER : this.#at[this.#heap[0]];
  }

  #before(a: number, b: number): boolean {
    const difference = this.#at[a] - this.#at[b] || this.#kind[a] - this.#kind[b];
    return difference < 0 || (difference === 0 && this.#number[a] < this.#number[b]);
  }

  #rise(from: number, ticket: number): void {
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!this.#before(ticket, this.#heap[parent])) break;
      this.#put(hole, this.#heap[parent]);
      hole = parent;
    }
    this.#put(hole, ticket);
  }

  #sink(from: number, ticket: number): void {
    let hole = from;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= this.#heap.length) break;
      if (child + 1 < this.#heap.length && this.#before(this.#heap[child + 1], this.#heap[child])) {
        child += 1;
      }
      if (!this.#before(this.#heap[child], ticket)) break;
      this.#put(hole, this.#heap[child]);
      hole = child;
    }
    this.#put(hole, ticket);
  }

  #put(place: number, ticket: number): void {
    this.#heap[place] = ticket;
    this.#place[ticket] = place;
  }
}

/** What is done when the time has come; `number` says to which of its kind, `at` is the time. */
export type Act = (number: number, at: number) => void;
