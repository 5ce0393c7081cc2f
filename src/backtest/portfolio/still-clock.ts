import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { TaskQueue } from '../../platform/task-queue.ts';
import type { Micros } from '../../platform/time.ts';
import { nextTurn } from '../../platform/turn.ts';

/**
 * A clock for work that goes on in promises, beside the virtual clock of a run, whose time it shows.
 * Its tasks run one by one, and after each of them all promises that it kept go on as far as they
 * can, while virtual time stands still. So how long that work really takes changes nothing, as long
 * as it waits for nothing but this clock.
 */
export class StillClock implements Scheduler {
  readonly #main: Scheduler;
  readonly #queue = new TaskQueue();

  constructor(main: Scheduler) {
    this.#main = main;
  }

  /** When its next task is due, +Infinity if there is none. */
  get nextAt(): number {
    return this.#queue.nextAt;
  }

  now(): Micros {
    return this.#main.now();
  }

  at(at: Micros, task: () => void): Cancel {
    return this.#queue.add(Math.max(at, this.#main.now()), task);
  }

  /** Runs all that is due now, and what that leads to at this time. */
  async settle(): Promise<void> {
    while (this.#queue.nextAt <= this.#main.now()) {
      this.#queue.take()();
      await nextTurn();
    }
  }
}
