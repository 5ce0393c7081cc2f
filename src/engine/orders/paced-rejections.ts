import type { RejectionCode } from '../../model/rejections.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';

/**
 * Consecutive rejections, each of a request that answered the one before, at which a strategy
 * fails.
 */
export const REJECTIONS_MAX = 100;
/** Most rejections that wait to be emitted. */
export const WAITING_MAX = 1_000;

/** Time between two rejections of answers: 10 a second. */
const GAP_US = 100 * US_PER_MS;
/** Time between two temporary rejections: 1 a second. */
const PASSING_GAP_US = US_PER_SECOND;

/** Temporary rejections: the strategy is not the cause, so they do not count. */
export const PASSING: ReadonlySet<RejectionCode> = new Set<RejectionCode>([
  'journal-failed',
  'risk-market-unknown',
  'risk-order-rate',
  'symbol-suspended',
  'trading-halted',
  'trading-reducing',
  'venue-unreachable',
  'venue-unavailable',
]);

/** How many consecutive rejections a command answers: each command was a direct answer. */
export type Streak = number;

export interface RejectionsHost {
  readonly scheduler: Scheduler;
  /** Emits as a separate event. */
  soon(show: () => void): void;
  /** Called when the strategy answers rejections endlessly. */
  endless(what: string): void;
}

/**
 * Emits rejections to a strategy. One that places again at once would be rejected again in the same
 * turn, forever, and block the process. So the rejection of a request that answered a rejection is
 * emitted in a later turn, at most 10 a second; all others are emitted at once.
 */
export class PacedRejections {
  /** Streak of the commands that the strategy emits now. */
  answering: Streak = 0;
  readonly #host: RejectionsHost;
  /** Streak of the command in progress. */
  #handling: Streak = 0;
  /** Emissions of the rejected orders of the command in progress. */
  #kept: (() => void)[] = [];
  /** Requests that answer a rejection, by client order id. */
  readonly #answers = new Map<string, Streak>();
  readonly #waiting: { readonly gapUs: number; readonly show: () => void }[] = [];
  #nextAt = Number.NEGATIVE_INFINITY;
  #cancel: Cancel | undefined;

  constructor(host: RejectionsHost) {
    this.#host = host;
  }

  /** Handles a command with its streak. */
  handling<T>(streak: Streak, handle: () => T): T {
    this.#handling = streak;
    try {
      return handle();
    } finally {
      this.#handling = 0;
    }
  }

  /** Notes a request of the command in progress. */
  sent(clientOrderId: string): void {
    if (this.#handling > 0) this.#answers.set(clientOrderId, this.#handling);
  }

  /** Keeps the emission of a rejected order of the command in progress, for `rejectKept`. */
  keep(show: () => void): void {
    this.#kept.push(show);
  }

  /** Returns the streak of an answered request and removes it. */
  answered(clientOrderId: string): Streak {
    const streak = this.#answers.get(clientOrderId) ?? 0;
    if (streak > 0) this.#answers.delete(clientOrderId);
    return streak;
  }

  /** Emits the rejection of a command. */
  rejectKept(streak: Streak, code: RejectionCode, what: string): void {
    const kept = this.#kept;
    this.#kept = [];
    this.reject(streak, code, what, () => {
      for (const show of kept) show();
    });
  }

  /**
   * Emits the rejection of a request with its streak: at once for the first, in a later turn for an
   * answer. `what` is the rejection as a sentence.
   */
  reject(streak: Streak, code: RejectionCode, what: string, show: () => void): void {
    const isPassing = PASSING.has(code);
    if (streak >= REJECTIONS_MAX && !isPassing) {
      this.#host.endless(`${REJECTIONS_MAX} in a row, each the answer to the one before. ${what}`);
      return;
    }
    if (this.#waiting.length >= WAITING_MAX) {
      this.#host.endless(`${WAITING_MAX} wait to be shown. ${what}`);
      return;
    }
    const after = isPassing ? Math.max(1, streak) : streak + 1;
    const seen = (): void => {
      this.answering = after;
      try {
        show();
      } finally {
        this.answering = 0;
      }
    };
    if (streak === 0) {
      seen();
      return;
    }
    this.#waiting.push({ gapUs: isPassing ? PASSING_GAP_US : GAP_US, show: seen });
    if (this.#cancel === undefined) this.#arm();
  }

  /** Drops waiting emissions. */
  close(): void {
    this.#waiting.length = 0;
    this.#answers.clear();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const host = this.#host;
    const { scheduler } = host;
    const due = Math.max(scheduler.now(), this.#nextAt);
    this.#cancel = scheduler.at(micros(due), () => {
      this.#cancel = undefined;
      this.#waiting.shift();
      this.#nextAt = scheduler.now() + next.gapUs;
      this.#arm();
      host.soon(next.show);
    });
  }
}
