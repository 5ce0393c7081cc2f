import { Heap } from './heap.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Kinds of timers, in the order in which they run at equal times. */
export const TIMER = {
  /** A withdrawal was not committed in time. */
  WITHDRAWAL: 0,
  /** An amount lock ends. */
  LOCK: 1,
  /** The first time is known: margin accounts and contracts start their schedules. */
  START: 2,
  /** A contract expires. */
  EXPIRY: 3,
  INTEREST: 4,
  FUNDING: 5,
  SAMPLE: 6,
} as const;

/** A timer of one kind; `number` identifies it within the kind. */
export interface Timer {
  readonly at: number;
  readonly kind: number;
  readonly number: number;
}

/**
 * Timers, soonest first. At equal times kinds run in the order of TIMER, and within a kind the
 * lower number first, so that the order does not depend on when a timer was added. Expiring orders
 * have their own queue, `Expiries`, and come first.
 */
export class TimerQueue {
  /** When the next timer is due, +Infinity if there is none. */
  nextAt: number = NEVER;
  /** By ticket: the timer, and its index in the heap. */
  readonly #timers: Timer[] = [];
  readonly #indices: number[] = [];
  /** Tickets that can be reused. */
  readonly #free: number[] = [];
  readonly #heap = new Heap(
    (a, b) => isBefore(this.#timers[a], this.#timers[b]),
    (ticket, index) => {
      this.#indices[ticket] = index;
    },
  );

  /** Adds a timer and returns its ticket, which cancels it until it has run. */
  add(at: number, kind: number, number: number): number {
    const ticket = this.#free.pop() ?? this.#timers.length;
    this.#timers[ticket] = { at, kind, number };
    this.#heap.add(ticket);
    this.#note();
    return ticket;
  }

  /** Cancels a timer that has not run. */
  remove(ticket: number): void {
    this.#heap.remove(this.#indices[ticket]);
    this.#free.push(ticket);
    this.#note();
  }

  /** Removes and returns the next timer, which must exist. */
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
