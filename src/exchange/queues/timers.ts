import { Heap } from './heap.ts';

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
 * What happens by time alone, soonest first. At equal times kinds come in the order of TIMER, and within
 * a kind the lower number first, so that the order never depends on when something was added. Orders that
 * expire have a queue of their own, `Expiries`, and come before all of this.
 */
export class TimerQueue {
  /** When the next is due, +Infinity when nothing is. */
  nextAt: number = NEVER;
  /** By ticket: what is due, and its place in the heap. */
  readonly #timers: Timer[] = [];
  readonly #indices: number[] = [];
  /** Tickets that may be given again. */
  readonly #free: number[] = [];
  readonly #heap = new Heap(
    (a, b) => isBefore(this.#timers[a], this.#timers[b]),
    (ticket, index) => {
      this.#indices[ticket] = index;
    },
  );

  /** Has something done at a time; gives a ticket by which that can be called off until it is done. */
  add(at: number, kind: number, number: number): number {
    const ticket = this.#free.pop() ?? this.#timers.length;
    this.#timers[ticket] = { at, kind, number };
    this.#heap.add(ticket);
    this.#note();
    return ticket;
  }

  /** Calls something off that has not been done. */
  remove(ticket: number): void {
    this.#heap.remove(this.#indices[ticket]);
    this.#free.push(ticket);
    this.#note();
  }

  /** Takes what is due next away; there is something. */
  take(): Timer {
    const ticket = this.#heap.first;
    this.remove(ticket);
    return this.#timers[ticket];
  }

  #note(): void {
    this.nextAt = this.#heap.isEmpty ? NEVER : this.#timers[this.#heap.first].at;
  }
}

const isBefore = (a: Timer, b: Timer): boolean =>
  (a.at - b.at || a.kind - b.kind || a.number - b.number) < 0;
