import type { Cancel, Scheduler } from './scheduler.ts';
import type { Micros } from './time.ts';
import { VirtualScheduler } from './virtual-scheduler.ts';

interface Task {
  readonly at: Micros;
  readonly run: () => void;
  cancel: Cancel;
}

/**
 * A clock that is moved manually through the past and then follows another one: strategies warm up on
 * history and continue live without a gap. Tasks that the past did not reach move over.
 */
export class HandoverScheduler implements Scheduler {
  readonly #past: VirtualScheduler;
  readonly #present: Scheduler;
  readonly #waiting = new Set<Task>();
  #isOver = false;

  constructor(start: Micros, present: Scheduler) {
    this.#past = new VirtualScheduler(start);
    this.#present = present;
  }

  now(): Micros {
    return this.#isOver ? this.#present.now() : this.#past.now();
  }

  at(at: Micros, run: () => void): Cancel {
    if (this.#isOver) return this.#present.at(at, run);
    const task: Task = {
      at,
      run: () => {
        this.#waiting.delete(task);
        run();
      },
      cancel: () => undefined,
    };
    task.cancel = this.#past.at(at, task.run);
    this.#waiting.add(task);
    return () => {
      this.#waiting.delete(task);
      task.cancel();
    };
  }

  /** Advances the past; due tasks run. Does nothing after `handOver`. */
  advanceTo(to: Micros): void {
    if (!this.#isOver) this.#past.advanceTo(to);
  }

  /** Runs the tasks due by now and follows the present from now on. */
  handOver(): void {
    if (this.#isOver) return;
    this.#past.advanceTo(this.#present.now());
    this.#isOver = true;
    for (const task of this.#waiting) {
      task.cancel();
      task.cancel = this.#present.at(task.at, task.run);
    }
    this.#waiting.clear();
  }
}
