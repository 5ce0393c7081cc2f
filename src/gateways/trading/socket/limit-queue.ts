import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import type { RequestLimiter } from './request-limiter.ts';

/** A request that waits within its limit. */
export interface QueuedTurn {
  readonly go: () => void;
  /** Set if it has been given up; it is skipped then. */
  gone: boolean;
}

/** Requests of one limit that wait, first come first served. */
interface Line {
  readonly limit: string;
  readonly turns: QueuedTurn[];
  wake: Cancel | undefined;
}

/**
 * Lets requests pass no faster than the limits of the service allow. Each limit has its own queue, so that
 * an order never waits behind a read.
 */
export class LimitQueue {
  readonly #limiter: RequestLimiter;
  readonly #scheduler: Scheduler;
  readonly #lines = new Map<string, Line>();

  constructor(limiter: RequestLimiter, scheduler: Scheduler) {
    this.#limiter = limiter;
    this.#scheduler = scheduler;
  }

  /** Calls `go` now, or when it may; returns the waiting request, or nothing if it passed. */
  pass(method: string, go: () => void): QueuedTurn | undefined {
    const limit = this.#limiter.limitOf(method);
    const line = limit === undefined ? undefined : this.#lines.get(limit);
    const isFree = line === undefined || line.turns.length === 0;
    if (limit === undefined || (isFree && this.#limiter.leave(limit))) {
      go();
      return undefined;
    }
    const turn: QueuedTurn = { go, gone: false };
    const waiting = line ?? { limit, turns: [], wake: undefined };
    this.#lines.set(limit, waiting);
    waiting.turns.push(turn);
    waiting.wake ??= this.#wake(waiting);
    return turn;
  }

  /** Forgets all waiting requests. */
  clear(): void {
    for (const line of this.#lines.values()) {
      line.wake?.();
      line.turns.length = 0;
    }
    this.#lines.clear();
  }

  #wake(line: Line): Cancel {
    return this.#scheduler.at(this.#limiter.freeAt(line.limit), () => {
      line.wake = undefined;
      this.#advance(line);
    });
  }

  #advance(line: Line): void {
    const { turns, limit } = line;
    for (;;) {
      while (turns.length > 0 && turns[0].gone) turns.shift();
      const [turn] = turns;
      if (turn === undefined) return;
      if (!this.#limiter.leave(limit)) break;
      turns.shift();
      turn.go();
    }
    line.wake ??= this.#wake(line);
  }
}
