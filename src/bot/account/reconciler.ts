import type { Scheduler, Cancel } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../platform/time.ts';

/** Result of a comparison. */
export interface Outcome {
  /** True while the outcome of a request is unknown. */
  readonly isUnsure: boolean;
  /** When a comparison may decide what this one could not, such as that an order never arrived. */
  readonly decidesAt?: Micros | undefined;
}

export interface ReconcilerHost {
  readonly scheduler: Scheduler;
  /** Interval between comparisons; it may change. */
  everyUs(): number;
  /** Compares journal and venue once and repairs the differences. */
  reconcile(): Promise<Outcome>;
  failed(error: unknown): void;
}

/** Delay of the first comparison after a request with an unknown outcome. */
const FIRST_US = 500 * US_PER_MS;
/** Delay of a repeated comparison while an outcome is unknown; it doubles each time. */
const AGAIN_US = 2 * US_PER_SECOND;
const AGAIN_MAX_US = 30 * US_PER_SECOND;
/** Shortest interval between two automatic comparisons. */
export const COMPARISON_GAP_US = US_PER_SECOND;

/**
 * Schedules comparisons of journal and venue: on a timer, after a reconnection, and soon after a request
 * with an unknown outcome; never two at once. A call of `now` during a comparison gets the next one. While
 * an outcome stays unknown, or comparisons fail, the interval grows.
 */
export class Reconciler {
  readonly #host: ReconcilerHost;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #cancelTimer: Cancel = () => undefined;
  #dueAt: number = Number.POSITIVE_INFINITY;
  #againUs: number = AGAIN_US;
  #isClosed = false;
  /** When the last comparison began. */
  startedAt: Micros | undefined;
  /** When the last comparison ended well. */
  lastAt: Micros | undefined;
  /** How many comparisons have ended well. */
  comparisons = 0;
  /** Why the last comparison that failed did. */
  failure: Error | undefined;

  constructor(host: ReconcilerHost) {
    this.#host = host;
  }

  /** Compares now, or right after the running comparison; resolves when that has ended. */
  now(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (this.#running === undefined) return (this.#running = this.#run());
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.now();
    });
    return this.#next;
  }

  /** Schedules a comparison soon, as the outcome of another request is unknown. */
  soon(): void {
    this.#againUs = AGAIN_US;
    this.#arm(FIRST_US);
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
    this.startedAt = scheduler.now();
    let outcome: Outcome = { isUnsure: true };
    try {
      outcome = await this.#host.reconcile();
      this.lastAt = scheduler.now();
      this.comparisons += 1;
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.#host.failed(error);
    }
    this.#running = undefined;
    this.#armNext(outcome);
  }

  #armNext({ isUnsure, decidesAt }: Outcome): void {
    const everyUs = this.#host.everyUs();
    if (!isUnsure) {
      this.#againUs = AGAIN_US;
      this.#arm(everyUs);
      return;
    }
    const decidesInUs = (decidesAt ?? 0) - this.#host.scheduler.now();
    const againUs = Math.min(this.#againUs, everyUs);
    this.#againUs = Math.min(AGAIN_MAX_US, this.#againUs * 2);
    this.#arm(decidesInUs > 0 ? Math.min(againUs, decidesInUs) : againUs);
  }

  #arm(spanUs: number): void {
    if (this.#isClosed) return;
    const { scheduler } = this.#host;
    const earliest = (this.startedAt ?? Number.NEGATIVE_INFINITY) + COMPARISON_GAP_US;
    const at = Math.max(scheduler.now() + spanUs, earliest);
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
