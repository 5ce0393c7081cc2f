import type { Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { Quota } from '../../../wire/sliding-window.ts';
import { CallWindow } from '../../http/call-window.ts';

/** If unanswered requests use the whole limit, the delay before the next check. */
const RECHECK_US = 50 * US_PER_MS;

/**
 * The limits of an account's methods, counted on the client's side; to be shared by all sockets of the
 * account. A request counts from its sending until a second after its answer, so that the service never
 * finds too many in one of its seconds, whatever the network does to them.
 */
export class RequestLimiter {
  readonly #queues: ReadonlyMap<string, CallWindow>;
  readonly #limits = new Map<string, string | undefined>();
  readonly #find: (method: string) => string | undefined;
  readonly #scheduler: Scheduler;

  /** `find` returns the limit of a method, or nothing if it has none. */
  constructor(
    table: Readonly<Record<string, Quota>>,
    find: (method: string) => string | undefined,
    scheduler: Scheduler,
  ) {
    this.#queues = new Map(
      Object.entries(table).map(([name, quota]) => [name, new CallWindow(quota)]),
    );
    this.#find = find;
    this.#scheduler = scheduler;
  }

  /** The limit of a method; `undefined` if it has none. */
  limitOf(method: string): string | undefined {
    if (!this.#limits.has(method)) this.#limits.set(method, this.#find(method));
    return this.#limits.get(method);
  }

  /** A request of a limit leaves, or false if it must wait. */
  leave(limit: string): boolean {
    const queue = this.#queues.get(limit);
    if (queue === undefined) return true;
    const now = this.#scheduler.now();
    if (queue.freeAt(now) > now) return false;
    queue.onSent();
    return true;
  }

  /** Earliest time for another attempt. */
  freeAt(limit: string): Micros {
    const now = this.#scheduler.now();
    const freeAt = this.#queues.get(limit)?.freeAt(now) ?? now;
    return micros(freeAt === Number.POSITIVE_INFINITY ? now + RECHECK_US : freeAt);
  }

  /** The answer to a sent request arrived, or will not come. */
  answered(limit: string): void {
    this.#queues.get(limit)?.onAnswered(this.#scheduler.now());
  }

  /** The service reported a rate limit: pauses its requests for a second. */
  hold(limit: string): void {
    this.#queues.get(limit)?.pauseUntil(this.#scheduler.now() + US_PER_SECOND);
  }
}
