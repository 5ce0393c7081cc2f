import type { Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';

/** Waits of the transfers of an executor. */
export class TransferWaits {
  readonly #scheduler: Scheduler;
  readonly #timed = new Set<() => void>();
  readonly #listening = new Set<() => void>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Waits for a time, or until `wake`. */
  wait(us: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#timed.delete(wake);
        cancel();
        resolve();
      };
      const cancel = this.#scheduler.at(micros(this.#scheduler.now() + us), wake);
      this.#timed.add(wake);
    });
  }

  /** Waits until the next `emit`. */
  news(): Promise<void> {
    return new Promise((resolve) => {
      this.#listening.add(resolve);
    });
  }

  /** Ends the waits for news. */
  emit(): void {
    const listening = [...this.#listening];
    this.#listening.clear();
    for (const wake of listening) wake();
  }

  /** Ends all waits. */
  wake(): void {
    this.emit();
    for (const wake of [...this.#timed]) wake();
  }
}
