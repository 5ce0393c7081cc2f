import type { Cancel, Scheduler } from './scheduler.ts';
import { TaskQueue } from './task-queue.ts';
import { micros, type Micros } from './time.ts';

/**
 * The clock of state machines whose inputs are logged. Its timers run in the order of their times, each at
 * exactly the time it is due, however late the machine is; so their effects follow from the state and need
 * no record. While a timer or an input runs the clock stands. It never runs back, not even from one start
 * to the next. `fire` is called when a timer is due.
 */
export class InputClock implements Scheduler {
  /** Timers that are no part of the state: they run by the present. */
  readonly timers: Scheduler;
  readonly #present: Scheduler;
  readonly #queue = new TaskQueue();
  /** How far it is ahead of the present, if the present has gone back between two starts. */
  #aheadUs = 0;
  #reached: number;
  #isHeld = true;
  #isLive = false;
  #cancel: Cancel = () => undefined;
  #armedAt = Number.POSITIVE_INFINITY;
  readonly #fire: () => void;

  /** Stands at `at` until it is released. */
  constructor(at: Micros, present: Scheduler, fire: () => void) {
    this.#reached = at;
    this.#present = present;
    this.#fire = fire;
    this.timers = {
      now: () => this.now(),
      at: (due, task) => present.at(micros(due - this.#aheadUs), task),
    };
  }

  /** The time of what runs; the present if nothing does. */
  now(): Micros {
    return this.#isHeld ? this.reached : this.present;
  }

  at(at: Micros, task: () => void): Cancel {
    const cancel = this.#queue.add(Math.max(at, this.now()), task);
    this.#arm();
    return () => {
      cancel();
      this.#arm();
    };
  }

  /** The real time, never before the time reached by the state. */
  get present(): Micros {
    return micros(Math.max(this.#reached, this.#present.now() + this.#aheadUs));
  }

  /** The time that the state has reached: of the last timer or input. */
  get reached(): Micros {
    return micros(this.#reached);
  }

  /** Stands at a time. */
  holdAt(at: number): void {
    this.#reached = Math.max(this.#reached, at);
    this.#isHeld = true;
  }

  /** Runs on. */
  release(): void {
    this.#isHeld = false;
  }

  /** When the next timer is due, +Infinity if there is none. */
  get nextAt(): number {
    return this.#queue.nextAt;
  }

  /** Stands at the time of the next timer and runs it. */
  runNext(): void {
    this.holdAt(this.#queue.nextAt);
    this.#queue.take()();
  }

  /** Follows the present from here on. */
  goLive(): void {
    this.#isLive = true;
    this.#isHeld = false;
    this.#arm();
  }

  /** Continues from the reached time if the present has gone back meanwhile; returns how long it stood. */
  catchUp(): number {
    this.#aheadUs = Math.max(0, this.#reached - this.#present.now());
    return this.present - this.#reached;
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
