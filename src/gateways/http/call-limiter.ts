import { MillraceError } from '../../model/errors.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { Quota } from '../../wire/sliding-window.ts';
import { LimitedQueue } from './limited-queue.ts';

/** Calls that wait at most; one more is refused, as whoever asks is faster than the service allows. */
export const WAITING_MAX = 1_000;

/** The turn of a call, which it gives back when its answer is here. */
export type GiveBack = () => void;

interface Waiting {
  readonly queues: readonly LimitedQueue[];
  readonly go: (giveBack: GiveBack) => void;
  readonly fail: (error: MillraceError) => void;
}

/**
 * Keeps calls within the limits of the service. Calls of one limit leave in the order in which they
 * were made; one that waits for its limit is not passed by others of the same limit, and holds up
 * nobody else.
 */
export class CallLimiter<Name extends string = string> {
  readonly #scheduler: Scheduler;
  readonly #queues: ReadonlyMap<string, LimitedQueue>;
  #waiting: Waiting[] = [];
  #cancelTimer: Cancel | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #closed: MillraceError | undefined;

  constructor(limits: Readonly<Record<Name, Quota>>, scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#queues = new Map(
      Object.entries<Quota>(limits).map(([limit, quota]) => [limit, new LimitedQueue(quota)]),
    );
  }

  /** How many calls wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits until a call may leave in all of its limits. Throws `rate-limited` when too many wait
   * already, and what `close` was given when nothing leaves any more.
   */
  async turn(limits: readonly Name[], name: string): Promise<GiveBack> {
    if (this.#closed !== undefined) throw this.#closed;
    if (this.#waiting.length >= WAITING_MAX) {
      throw new MillraceError(
        'rate-limited',
        `${name} was not sent: ${WAITING_MAX} calls wait already for the limits of the service.`,
      );
    }
    const queues = limits.map((limit) => this.#queue(limit));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ queues, go: resolve, fail: reject });
      this.#admit();
    });
  }

  /** The service said that calls of these limits came too fast: none leaves for so long. */
  hold(limits: readonly Name[], us: number): void {
    for (const limit of limits) this.#queue(limit).hold(this.#scheduler.now() + us);
  }

  /** Ends everything that waits, and whatever comes, with an error. */
  close(error: MillraceError): void {
    this.#closed = error;
    this.#cancelTimer?.();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { fail } of waiting) fail(error);
  }

  #queue(limit: Name): LimitedQueue {
    const queue = this.#queues.get(limit);
    if (queue === undefined) throw new MillraceError('internal', `There is no limit ${limit}.`);
    return queue;
  }

  /** Lets leave who may, in order, and sets the timer for the next. */
  #admit(): void {
    const now = this.#scheduler.now();
    const taken = new Set<LimitedQueue>();
    const kept: Waiting[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const one of this.#waiting) {
      const freeAt = one.queues.reduce((latest, queue) => Math.max(latest, queue.freeAt(now)), 0);
      if (freeAt <= now && !one.queues.some((queue) => taken.has(queue))) {
        this.#leave(one);
        continue;
      }
      kept.push(one);
      for (const queue of one.queues) taken.add(queue);
      if (freeAt > now) next = Math.min(next, freeAt);
    }
    this.#waiting = kept;
    this.#wake(next);
  }

  #leave({ queues, go }: Waiting): void {
    for (const queue of queues) queue.leave();
    let given = false;
    go(() => {
      if (given) return;
      given = true;
      for (const queue of queues) queue.answer(this.#scheduler.now());
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
