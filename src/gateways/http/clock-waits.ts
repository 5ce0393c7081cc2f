import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';

/** Waits by a clock, which can all be ended at once. */
export class ClockWaits {
  readonly #scheduler: Scheduler;
  readonly #running = new Map<Cancel, (over: Error) => void>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Waits for a time in microseconds. Throws the error of `close`, or the reason of the signal. */
  async wait(us: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        cancel();
        this.#running.delete(cancel);
        reject(signal?.reason as Error);
      };
      const cancel = this.#scheduler.at(micros(this.#scheduler.now() + us), () => {
        this.#running.delete(cancel);
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      this.#running.set(cancel, (over) => {
        signal?.removeEventListener('abort', abort);
        reject(over);
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Ends all that wait, with an error, and leaves no timer behind. */
  close(over: Error): void {
    const running = [...this.#running];
    this.#running.clear();
    for (const [cancel, fail] of running) {
      cancel();
      fail(over);
    }
  }
}
