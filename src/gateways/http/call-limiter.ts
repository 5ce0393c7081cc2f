import { MillraceError } from '../../model/errors.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { Quota } from '../../wire/sliding-window.ts';
import { CallWindow } from './call-window.ts';

/** Most calls that may wait; one more is rejected, as the caller is faster than the service allows. */
export const WAITING_CALLS_MAX = 1_000;

/** Releases a call's permit when its answer has arrived. */
export type Release = () => void;

interface Waiting {
  readonly queues: readonly CallWindow[];
  readonly go: (release: Release) => void;
  readonly fail: (error: MillraceError) => void;
}

/**
 * Keeps calls within the limits of the service. Calls of one limit leave in the order in which they were
 * made; a call waiting for its limit is not passed by others of the same limit, and blocks no others.
 */
export class CallLimiter<Name extends string = string> {
  readonly #scheduler: Scheduler;
  readonly #queues: ReadonlyMap<string, CallWindow>;
  #waiting: Waiting[] = [];
  #cancelTimer: Cancel | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #closed: MillraceError | undefined;

  constructor(limits: Readonly<Record<Name, Quota>>, scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#queues = new Map(
      Object.entries<Quota>(limits).map(([limit, quota]) => [limit, new CallWindow(quota)]),
    );
  }

  /** Number of waiting calls. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits until a call may leave within all of its limits. Throws `rate-limited` when too many wait
   * already, and the error of `close` when nothing leaves any more.
   */
  async acquire(limits: readonly Name[], name: string): Promise<Release> {
    if (this.#closed !== undefined) throw this.#closed;
    if (this.#waiting.length >= WAITING_CALLS_MAX) {
      throw new MillraceError(
        'rate-limited',
        `${name} was not sent: ${WAITING_CALLS_MAX} calls wait already for the limits of the service.`,
      );
    }
    const queues = limits.map((limit) => this.#queue(limit));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ queues, go: resolve, fail: reject });
      this.#admit();
    });
  }

  /** The service reported a rate limit: pauses these limits for `us`. */
  pause(limits: readonly Name[], us: number): void {
    for (const limit of limits) this.#queue(limit).pauseUntil(this.#scheduler.now() + us);
  }

  /** Rejects all waiting and later calls with an error. */
  close(error: MillraceError): void {
    this.#closed = error;
    this.#cancelTimer?.();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { fail } of waiting) fail(error);
  }

  #queue(limit: Name): CallWindow {
    const queue = this.#queues.get(limit);
    if (queue === undefined) throw new MillraceError('internal', `There is no limit ${limit}.`);
    return queue;
  }

  /** Sends the calls that may go, in order, and sets a timer for the next. */
  #admit(): void {
    const now = this.#scheduler.now();
    const blocked = new Set<CallWindow>();
    const kept: Waiting[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const one of this.#waiting) {
      const freeAt = one.queues.reduce((latest, queue) => Math.max(latest, queue.freeAt(now)), 0);
      if (freeAt <= now && !one.queues.some((queue) => blocked.has(queue))) {
        this.#leave(one);
        continue;
      }
      kept.push(one);
      for (const queue of one.queues) blocked.add(queue);
      if (freeAt > now) next = Math.min(next, freeAt);
    }
    this.#waiting = kept;
    this.#wake(next);
  }

  #leave({ queues, go }: Waiting): void {
    for (const queue of queues) queue.onSent();
    let given = false;
    go(() => {
      if (given) return;
      given = true;
      for (const queue of queues) queue.onAnswered(this.#scheduler.now());
      if (this.#waiting.length > 0) this.#admit();
    });
  }

  #wake(at: number): void {
    if (at === this.#timerAt) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#timerAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#scheduler.at(micros(at), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#admit();
    });
  }
}
