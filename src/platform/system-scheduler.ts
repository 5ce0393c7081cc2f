import type { Cancel, Scheduler } from './scheduler.ts';
import { TaskQueue } from './task-queue.ts';
import { micros, US_PER_MS, type Micros } from './time.ts';

/** Node fires a timer at once if its delay exceeds this; longer waits are made of several. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * The real clock, with microseconds, and real timers. The clock is steady: it shows the time of
 * day at which the process started plus what has passed since, and never jumps or goes back.
 *
 * Node's timers may fire a little early, and those of different lengths in either order; a queue
 * behind one timer keeps the promises of `Scheduler`.
 */
export class SystemScheduler implements Scheduler {
  readonly #queue = new TaskQueue();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  now(): Micros {
    return micros(Math.floor((performance.timeOrigin + performance.now()) * US_PER_MS));
  }

  at(at: Micros, task: () => void): Cancel {
    const cancel = this.#queue.add(Math.max(at, this.now()), task);
    this.#arm();
    return () => {
      cancel();
      this.#arm();
    };
  }

  /** Sets the timer for the first task; without a task there is no timer to keep the process alive. */
  #arm(): void {
    if (this.#queue.nextAt === this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = this.#queue.nextAt;
    if (this.#timerAt === Number.POSITIVE_INFINITY) return;
    const ms = Math.ceil((this.#timerAt - this.now()) / US_PER_MS);
    this.#timer = setTimeout(
      () => {
        this.#run();
      },
      Math.min(Math.max(ms, 0), LONGEST_WAIT_MS),
    );
  }

  #run(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const until = this.now();
    try {
      while (this.#queue.nextAt <= until) this.#queue.take()();
    } finally {
      // A task that throws does not affect the others.
      this.#arm();
    }
  }
}
