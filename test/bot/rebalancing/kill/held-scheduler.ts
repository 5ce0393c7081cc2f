import type { Cancel, Scheduler } from '../../../../src/platform/scheduler.ts';
import { SystemScheduler } from '../../../../src/platform/system-scheduler.ts';
import { micros, type Micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';

/**
 * A clock that goes, for what is valid for a while, and whose tasks run when a test says so: however
 * long a process takes to begin, nothing has happened to its moves meanwhile.
 */
export class HeldScheduler implements Scheduler {
  readonly #clock = new SystemScheduler();
  readonly #tasks = new VirtualScheduler(this.#clock.now());

  now(): Micros {
    return this.#clock.now();
  }

  at(at: Micros, task: () => void): Cancel {
    return this.#tasks.at(micros(this.#tasks.now() + at - this.now()), task);
  }

  /** Runs what is due within so long, one task after the other. */
  pass(us: number): void {
    this.#tasks.advanceTo(micros(this.#tasks.now() + us));
  }
}
