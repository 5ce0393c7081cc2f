import type { Cancel } from './scheduler.ts';

interface Entry {
  readonly at: number;
  readonly turn: number;
  task: (() => void) | undefined;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Tasks in order of their time, and in the order they were asked for where times are equal. */
export class TaskQueue {
  /** When the next task is due, +Infinity when there is none. */
  nextAt: number = NEVER;
  #turn = 0;
  readonly #heap: Entry[] = [];

  /** Throws RangeError for NaN: it is before and after nothing, and no other task would have its turn. */
  add(at: number, task: () => void): Cancel {
    if (Number.isNaN(at)) throw new RangeError('a task at no time: NaN');
    const entry: Entry = { at, turn: this.#turn++, task };
    push(this.#heap, entry);
    this.nextAt = this.#heap[0].at;
    return () => {
      entry.task = undefined;
      this.#dropCanceled();
    };
  }

  /** Takes the next task out; throws when there is none. */
  take(): () => void {
    const { task } = pop(this.#heap);
    this.#dropCanceled();
    if (task === undefined) throw new RangeError('nothing is scheduled');
    return task;
  }

  /** The first is always one that will run, so that nobody waits for a canceled one. */
  #dropCanceled(): void {
    const heap = this.#heap;
    while (heap.length > 0 && heap[0].task === undefined) pop(heap);
    this.nextAt = heap.length === 0 ? NEVER : heap[0].at;
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
