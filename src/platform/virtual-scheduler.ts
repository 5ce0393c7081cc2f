import type { Cancel, Scheduler } from './scheduler.ts';
import { micros, type Micros } from './time.ts';

interface Entry {
  readonly at: number;
  readonly turn: number;
  task: (() => void) | undefined;
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * A clock that stands still until it is moved: the time of a backtest and of tests. Tasks run in
 * order of their time, and in the order they were asked for where times are equal.
 */
export class VirtualScheduler implements Scheduler {
  /** When the next task is due, +Infinity when there is none; read by replay loops before each event. */
  nextAt: number = NEVER;
  #now: number;
  #turn = 0;
  readonly #heap: Entry[] = [];

  constructor(start: Micros) {
    this.#now = start;
  }

  now(): Micros {
    return micros(this.#now);
  }

  at(at: Micros, task: () => void): Cancel {
    const entry: Entry = { at: Math.max(at, this.#now), turn: this.#turn++, task };
    push(this.#heap, entry);
    this.nextAt = this.#heap[0].at;
    return () => {
      entry.task = undefined;
    };
  }

  /** Runs everything due up to and including `to`, tasks that these tasks ask for too; the clock then shows `to`. */
  advanceTo(to: Micros): void {
    while (this.nextAt <= to) {
      const entry = pop(this.#heap);
      this.nextAt = this.#heap.length === 0 ? NEVER : this.#heap[0].at;
      if (entry.task === undefined) continue;
      this.#now = entry.at;
      entry.task();
    }
    if (to > this.#now) this.#now = to;
  }
}

const before = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.turn < b.turn);

function push(heap: Entry[], entry: Entry): void {
  let hole = heap.length;
  heap.push(entry);
  while (hole > 0) {
    const parent = (hole - 1) >> 1;
    if (!before(entry, heap[parent])) break;
    heap[hole] = heap[parent];
    hole = parent;
  }
  heap[hole] = entry;
}

function pop(heap: Entry[]): Entry {
  const top = heap[0];
  const last = heap.pop();
  if (last === undefined) throw new RangeError('nothing is scheduled');
  const length = heap.length;
  if (length === 0) return top;
  let hole = 0;
  for (;;) {
    let child = 2 * hole + 1;
    if (child >= length) break;
    if (child + 1 < length && before(heap[child + 1], heap[child])) child += 1;
    if (!before(heap[child], last)) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = last;
  return top;
}
