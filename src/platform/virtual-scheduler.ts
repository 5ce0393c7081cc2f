import type { Cancel, Scheduler } from './scheduler.ts';
import { TaskQueue } from './task-queue.ts';
import { micros, type Micros } from './time.ts';

/**
 * A clock that stands still until it is moved: the time of a backtest and of tests. Tasks run in
 * order of their time, and in the order they were asked for where times are equal.
 */
export class VirtualScheduler implements Scheduler {
  #now: number;
  readonly #queue = new TaskQueue();

  constructor(start: Micros) {
    this.#now = start;
  }

  /** When the next task is due, +Infinity when there is none; read by replay loops before each event. */
  get nextAt(): number {
    return this.#queue.nextAt;
  }

  now(): Micros {
    return micros(this.#now);
  }

  at(at: Micros, task: () => void): Cancel {
    return this.#queue.add(Math.max(at, this.#now), task);
  }

  /** Runs everything due up to and including `to`, tasks that these tasks ask for too; the clock then shows `to`. */
  advanceTo(to: Micros): void {
    const queue = this.#queue;
    while (queue.nextAt <= to) {
      this.#now = queue.nextAt;
      queue.take()();
    }
    if (to > this.#now) this.#now = to;
  }
}
