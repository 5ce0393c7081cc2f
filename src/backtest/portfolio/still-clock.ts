import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { TaskQueue } from '../../platform/task-queue.ts';
import type { Micros } from '../../platform/time.ts';
import { nextTurn } from '../../platform/turn.ts';

/**
 * A clock for asynchronous work beside the virtual clock of a run, with the same time. Its tasks
 * run one by one, and after each of them all its promises continue as far as they can, while
 * virtual time stops. So the real duration of that work changes nothing, as long as it waits only
 * for this clock.
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

  /** Runs all tasks that are due now, with those that they cause at this time. */
  async settle(): Promise<void> {
    while (this.#queue.nextAt <= this.#main.now()) {
      this.#queue.take()();
      await nextTurn();
    }
  }
}
