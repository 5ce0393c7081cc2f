import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS } from '../../platform/time.ts';

/** Longest time until a received report is in the file. */
const DUE_AFTER_US = 50 * US_PER_MS;

/** Calls for a flush soon after there is something to write, and again until it succeeds. */
export class DueFlush {
  readonly #scheduler: Scheduler;
  readonly #flush: () => void;
  readonly #failed: (error: unknown) => void;
  #cancel: Cancel | undefined;

  constructor(scheduler: Scheduler, flush: () => void, failed: (error: unknown) => void) {
    this.#scheduler = scheduler;
    this.#flush = flush;
    this.#failed = failed;
  }

  /** There is something to write. */
  soon(): void {
    this.#cancel ??= this.#scheduler.at(micros(this.#scheduler.now() + DUE_AFTER_US), () => {
      this.#cancel = undefined;
      try {
        this.#flush();
      } catch (error) {
        this.#failed(error);
        this.soon();
      }
    });
  }

  /** There is nothing to write any more. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
