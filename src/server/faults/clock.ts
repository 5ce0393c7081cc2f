import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';

/**
 * A clock that is wrong by a set amount. Its readings are wrong, but timers run right: a timer from before
 * the change still fires at its time.
 */
export class SkewedClock implements Scheduler {
  /** By how much it is ahead, in milliseconds. */
  skewMs = 0;
  readonly #right: Scheduler;

  constructor(right: Scheduler) {
    this.#right = right;
  }

  now(): Micros {
    return micros(this.#right.now() + this.skewMs * US_PER_MS);
  }

  at(at: Micros, task: () => void): Cancel {
    return this.#right.at(micros(at - this.skewMs * US_PER_MS), task);
  }
}
