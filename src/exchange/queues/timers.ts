const NEVER = Number.POSITIVE_INFINITY;

/** Kinds of timers, in the order in which they come at equal times. */
export const TIMER = {
  /** A withdrawal was not committed. */
  WITHDRAWAL: 0,
  /** An amount is locked no more. */
  LOCK: 1,
  /** Time is known: margin accounts and contracts are reckoned from now on. */
  START: 2,
  /** A contract expires. */
  EXPIRY: 3,
  INTEREST: 4,
  FUNDING: 5,
  SAMPLE: 6,
} as const;

/** What is due: `number` says which of its kind. */
export interface Timer {
  readonly at: number;
  readonly kind: number;
  readonly number: number;
}

/**
 * What happens by time alone, soonest first: a binary heap of (time, kind, number). At equal times
 * kinds come in the order of TIMER, and within a kind the lower number first, so that the order never depends on when something was added. Orders that expire have a queue of
 * their own, `Expiries`, and come before all of this.
 */
export class TimerQueue {
  /** When the next is due, +Infinity when nothing is. */
  nextAt: number = NEVER;
  /** By ticket: when it is due, of which kind, with what number, and where it stands in the heap. */
  readonly #at: number[] = [];
  readonly #kind: number[] = [];
  readonly #number: number[] = [];
  readonly #place: number[] = [];
  /** Tickets by urgency, and those that may be given again. */
  readonly #heap: number[] = [];
  readonly #free: number[] = [];

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

  /** Takes what is due next away; there is something. */
  take(): Timer {
    const ticket = this.#heap[0];
    const timer = { at: this.#at[ticket], kind: this.#kind[ticket], number: this.#number[ticket] };
    this.remove(ticket);
    return timer;
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
