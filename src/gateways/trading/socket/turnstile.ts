import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import type { Pace } from './pace.ts';

/** A request that waits for its turn. */
export interface Turn {
  readonly go: () => void;
  /** Set where it has been given up; it is passed over then. */
  gone: boolean;
}

/** Requests of one limit that wait, first come first served. */
interface Line {
  readonly limit: string;
  readonly turns: Turn[];
  wake: Cancel | undefined;
}

/**
 * Lets requests pass no faster than the limits of the service allow. Each limit has a line of its own,
 * so that an order never waits behind a reading.
 */
export class Turnstile {
  readonly #pace: Pace;
  readonly #scheduler: Scheduler;
  readonly #lines = new Map<string, Line>();

  constructor(pace: Pace, scheduler: Scheduler) {
    this.#pace = pace;
    this.#scheduler = scheduler;
  }

  /** Lets `go` happen now, or when it may; gives the turn that waits, or nothing where it passed. */
  pass(method: string, go: () => void): Turn | undefined {
    const limit = this.#pace.limitOf(method);
    const line = limit === undefined ? undefined : this.#lines.get(limit);
    const isFree = line === undefined || line.turns.length === 0;
    if (limit === undefined || (isFree && this.#pace.leave(limit))) {
      go();
      return undefined;
    }
    const turn: Turn = { go, gone: false };
    const waiting = line ?? { limit, turns: [], wake: undefined };
    this.#lines.set(limit, waiting);
    waiting.turns.push(turn);
    waiting.wake ??= this.#wake(waiting);
    return turn;
  }

  /** Forgets whoever waits. */
  clear(): void {
    for (const line of this.#lines.values()) {
      line.wake?.();
      line.turns.length = 0;
    }
    this.#lines.clear();
  }

  #wake(line: Line): Cancel {
    return this.#scheduler.at(this.#pace.freeAt(line.limit), () => {
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
      if (!this.#pace.leave(limit)) break;
      turns.shift();
      turn.go();
    }
    line.wake ??= this.#wake(line);
  }
}
