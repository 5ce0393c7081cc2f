import type { Cancel, Scheduler } from './scheduler.ts';
import { TaskQueue } from './task-queue.ts';
import { micros, type Micros } from './time.ts';

/** Tasks at one time after which they count as an endless loop. */
const TASKS_MAX = 200_000;

/**
 * A clock that stands still until it is moved: the time of a backtest and of tests. Tasks run in order of
 * their time, and of their calls if times are equal.
 */
export class VirtualScheduler implements Scheduler {
  #now: number;
  readonly #queue = new TaskQueue();
  readonly #circle: () => void;
  /** The time of the last task, and how many there were at it. */
  #taskAt = Number.NaN;
  #tasks = 0;

  /**
   * `circle` is called after 200,000 tasks at one time, and again after each further 200,000: tasks
   * schedule each other without time advancing, and the clock's owner must end that. Without it the call
   * that moves the clock throws.
   */
  constructor(start: Micros, circle: () => void = endless) {
    this.#now = start;
    this.#circle = circle;
  }

  /** When the next task is due, +Infinity if there is none; read by replay loops before each event. */
  get nextAt(): number {
    return this.#queue.nextAt;
  }

  now(): Micros {
    return micros(this.#now);
  }

  at(at: Micros, task: () => void): Cancel {
    return this.#queue.add(Math.max(at, this.#now), task);
  }

  /**
   * As `at`, for a task that is the same each time and is never canceled: nothing is allocated for it but
   * its entry.
   */
  post<T>(at: Micros, task: (argument: T) => void, argument: T): void {
    this.#queue.post(Math.max(at, this.#now), task, argument);
  }

  /** Runs everything due up to and including `to`, tasks that these tasks ask for too; the clock then shows `to`. */
  advanceTo(to: Micros): void {
    const queue = this.#queue;
    while (queue.nextAt <= to) {
      this.#now = queue.nextAt;
      this.#count();
      queue.run();
    }
    if (to > this.#now) this.#now = to;
  }

  #count(): void {
    if (this.#taskAt !== this.#now) {
      this.#taskAt = this.#now;
      this.#tasks = 0;
    }
    this.#tasks += 1;
    if (this.#tasks % TASKS_MAX === 0) this.#circle();
  }
}

function endless(): never {
  throw new RangeError(`${TASKS_MAX} tasks were run at one time; they lead to each other`);
}
