import type { Cancel } from './scheduler.ts';

/** A task without an argument is called with `undefined`. */
interface Entry {
  readonly at: number;
  readonly turn: number;
  task: ((argument: never) => void) | undefined;
  readonly argument: unknown;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Tasks in order of their time, and of their calls if times are equal. */
export class TaskQueue {
  /** When the next task is due, +Infinity if there is none. */
  nextAt: number = NEVER;
  #turn = 0;
  readonly #heap: Entry[] = [];

  /** Throws RangeError for NaN: it has no order, and would block all other tasks. */
  add(at: number, task: () => void): Cancel {
    const entry = this.#add(at, task, undefined);
    return () => {
      entry.task = undefined;
      this.#dropCanceled();
    };
  }

  /** The same for a task that is called with an argument and never canceled. */
  post<T>(at: number, task: (argument: T) => void, argument: T): void {
    this.#add(at, task, argument);
  }

  /** Takes the next task out; throws if there is none. */
  take(): () => void {
    const { task, argument } = this.#next();
    return () => task(argument as never);
  }

  /** Takes the next task out and runs it; throws if there is none. */
  run(): void {
    const { task, argument } = this.#next();
    task(argument as never);
  }

  #add(at: number, task: (argument: never) => void, argument: unknown): Entry {
    if (Number.isNaN(at)) throw new RangeError('a task at no time: NaN');
    const entry: Entry = { at, turn: this.#turn++, task, argument };
    push(this.#heap, entry);
    this.nextAt = this.#heap[0].at;
    return entry;
  }

  #next(): Entry & { readonly task: (argument: never) => void } {
    const entry = pop(this.#heap);
    this.#dropCanceled();
    const { task } = entry;
    if (task === undefined) throw new RangeError('nothing is scheduled');
    return entry as Entry & { readonly task: (argument: never) => void };
  }

  /** The first is always one that will run, so that nothing waits for a canceled one. */
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
