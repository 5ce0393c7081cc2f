import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';

/**
 * A clock that is wrong by what it is told. It is read wrong, but timers run right: what was asked
 * for before the clock was set happens when it would have happened.
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
