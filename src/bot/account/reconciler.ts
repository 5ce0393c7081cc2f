import type { Scheduler, Cancel } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';

export interface ReconcilerHost {
  readonly scheduler: Scheduler;
  /** How long after a comparison the next one comes; it may change. */
  everyUs(): number;
  /** Compares journal and venue once and heals; gives true while something is left unknown. */
  reconcile(): Promise<boolean>;
  failed(error: unknown): void;
}

/** How soon the venue is asked again while the fate of an order is not known. */
const DOUBT_US = 500_000;

/**
 * Says when journal and venue are compared: on a timer, when the account is heard of again, and soon
 * after a doubt; never twice at once. Who asks while a comparison runs gets the next one.
 */
export class Reconciler {
  readonly #host: ReconcilerHost;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #cancelTimer: Cancel = () => undefined;
  #dueAt: number = Number.POSITIVE_INFINITY;
  #isClosed = false;
  /** When the last comparison ended well. */
  lastAt: Micros | undefined;
  /** How many comparisons have ended well. */
  comparisons = 0;
  /** Why the last comparison that failed did. */
  failure: Error | undefined;

  constructor(host: ReconcilerHost) {
    this.#host = host;
  }

  /** Compares now, or right after the comparison that runs; resolves when that has ended. */
  now(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (this.#running === undefined) return (this.#running = this.#run());
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.now();
    });
    return this.#next;
  }

  /** Sees to it that a comparison comes soon, as something is not known. */
  soon(): void {
    this.#arm(DOUBT_US);
  }

  /** Ends the timer and waits for a comparison that runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { scheduler } = this.#host;
    this.#disarm();
    let isUnsure = true;
    try {
      isUnsure = await this.#host.reconcile();
      this.lastAt = scheduler.now();
      this.comparisons += 1;
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.#host.failed(error);
    }
    this.#running = undefined;
    const everyUs = this.#host.everyUs();
    this.#arm(isUnsure ? Math.min(DOUBT_US, everyUs) : everyUs);
  }

  #arm(spanUs: number): void {
    if (this.#isClosed) return;
    const { scheduler } = this.#host;
    const at = scheduler.now() + spanUs;
    if (at >= this.#dueAt) return;
    this.#cancelTimer();
    this.#dueAt = at;
    this.#cancelTimer = scheduler.at(micros(at), () => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      void this.now();
    });
  }

  #disarm(): void {
    this.#cancelTimer();
    this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
