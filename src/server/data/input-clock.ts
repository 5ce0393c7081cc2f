import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { TaskQueue } from '../../platform/task-queue.ts';
import { micros, type Micros } from '../../platform/time.ts';

/**
 * The clock of a venue that logs its inputs. It stands while an input is done, so that all of it
 * happens at the moment that is logged; it never runs back, not even from one start to the next. Its
 * timers are inputs too: `fire` is called where one is due.
 */
export class InputClock implements Scheduler {
  /** Timers of what is no state: they run by the same time, and nothing of them is logged. */
  readonly timers: Scheduler;
  readonly #present: Scheduler;
  readonly #queue = new TaskQueue();
  /** By how much it is ahead of the present, where the present has gone back between two starts. */
  #aheadUs = 0;
  #latest: number;
  #isHeld = true;
  #isLive = false;
  #cancel: Cancel = () => undefined;
  #armedAt = Number.POSITIVE_INFINITY;
  readonly #fire: () => void;

  /** Stands at `at` until it is released. */
  constructor(at: Micros, present: Scheduler, fire: () => void) {
    this.#latest = at;
    this.#present = present;
    this.#fire = fire;
    this.timers = {
      now: () => this.now(),
      at: (due, task) => present.at(micros(due - this.#aheadUs), task),
    };
  }

  now(): Micros {
    if (this.#isHeld) return micros(this.#latest);
    this.#latest = Math.max(this.#latest, this.#present.now() + this.#aheadUs);
    return micros(this.#latest);
  }

  at(at: Micros, task: () => void): Cancel {
    const cancel = this.#queue.add(Math.max(at, this.now()), task);
    this.#arm();
    return () => {
      cancel();
      this.#arm();
    };
  }

  /** Stands from here on, at the present; gives the time. */
  hold(): Micros {
    const at = this.now();
    this.#isHeld = true;
    return at;
  }

  /** Stands at a time that was logged. */
  holdAt(at: Micros): void {
    this.#latest = Math.max(this.#latest, at);
    this.#isHeld = true;
  }

  /** Runs on. */
  release(): void {
    this.#isHeld = false;
  }

  /** When the next timer is due, +Infinity where there is none. */
  get nextAt(): number {
    return this.#queue.nextAt;
  }

  /** Takes the next timer. */
  takeNext(): () => void {
    return this.#queue.take();
  }

  /** Follows the present from here on; gives how long it has stood since the last input. */
  goLive(): number {
    const last = this.#latest;
    this.#aheadUs = Math.max(0, last - this.#present.now());
    this.#isLive = true;
    this.#isHeld = false;
    const passed = this.now() - last;
    this.#arm();
    return passed;
  }

  /** Runs no timer any more. */
  close(): void {
    this.#isLive = false;
    this.#cancel();
    this.#armedAt = Number.POSITIVE_INFINITY;
  }

  #arm(): void {
    if (!this.#isLive || this.#queue.nextAt === this.#armedAt) return;
    this.#cancel();
    this.#armedAt = this.#queue.nextAt;
    if (this.#armedAt === Number.POSITIVE_INFINITY) return;
    this.#cancel = this.timers.at(micros(this.#armedAt), () => {
      this.#armedAt = Number.POSITIVE_INFINITY;
      try {
        this.#fire();
      } finally {
        this.#arm();
      }
    });
  }
}
