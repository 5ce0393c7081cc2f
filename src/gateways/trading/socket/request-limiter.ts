import type { Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { Quota } from '../../../wire/sliding-window.ts';
import { LimitedQueue } from '../../http/limited-queue.ts';

/** Where every place is taken by requests without an answer, how soon is looked again. */
const LOOK_AGAIN_US = 50 * US_PER_MS;

/**
 * The limits of the methods of an account, as its own side counts them; to be shared by all sockets
 * of the account. A request holds its place from its sending until a second after its answer, so
 * that the service never finds too many in one of its seconds, whatever the network does to them.
 */
export class RequestLimiter {
  readonly #queues: ReadonlyMap<string, LimitedQueue>;
  readonly #limits = new Map<string, string | undefined>();
  readonly #find: (method: string) => string | undefined;
  readonly #scheduler: Scheduler;

  /** `find` gives the row of the table that a method counts in, or nothing if it has no limit. */
  constructor(
    table: Readonly<Record<string, Quota>>,
    find: (method: string) => string | undefined,
    scheduler: Scheduler,
  ) {
    this.#queues = new Map(
      Object.entries(table).map(([name, quota]) => [name, new LimitedQueue(quota)]),
    );
    this.#find = find;
    this.#scheduler = scheduler;
  }

  /** The limit that a method counts in; `undefined` where it has none. */
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
    queue.leave();
    return true;
  }

  /** When it is worth to try again. */
  freeAt(limit: string): Micros {
    const now = this.#scheduler.now();
    const freeAt = this.#queues.get(limit)?.freeAt(now) ?? now;
    return micros(freeAt === Number.POSITIVE_INFINITY ? now + LOOK_AGAIN_US : freeAt);
  }

  /** The answer to a request that left came, or will not come. */
  answered(limit: string): void {
    this.#queues.get(limit)?.answer(this.#scheduler.now());
  }

  /** The service says that requests of a limit came too fast: for a second none leaves. */
  hold(limit: string): void {
    this.#queues.get(limit)?.hold(this.#scheduler.now() + US_PER_SECOND);
  }
}
