import type { Scheduler, Cancel } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../platform/time.ts';

/** What a comparison leaves open. */
export interface Outcome {
  /** True while the outcome of a request is not known. */
  readonly isUnsure: boolean;
  /** When a comparison may decide what this one could not, such as that an order never arrived. */
  readonly decidesAt?: Micros | undefined;
}

export interface ReconcilerHost {
  readonly scheduler: Scheduler;
  /** How long after a comparison the next one comes; it may change. */
  everyUs(): number;
  /** Compares journal and venue once and repairs what differs. */
  reconcile(): Promise<Outcome>;
  failed(error: unknown): void;
}

/** How soon after a request whose outcome is not known the first comparison comes. */
const FIRST_US = 500 * US_PER_MS;
/** What a comparison left unknown is compared again after so long, and after twice as long each time. */
const AGAIN_US = 2 * US_PER_SECOND;
const AGAIN_MAX_US = 30 * US_PER_SECOND;
/** Two comparisons that nobody asked for are at least so far apart. */
export const COMPARISON_GAP_US = US_PER_SECOND;

/**
 * Says when journal and venue are compared: on a timer, when the connection is back, and soon after
 * a request without an outcome; never twice at once. A call of `now` while a comparison runs gets
 * the next one. While an outcome stays unknown, or comparisons fail, they come more and more rarely.
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

  /** Sees to it that a comparison comes soon, as the outcome of another request is not known. */
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
