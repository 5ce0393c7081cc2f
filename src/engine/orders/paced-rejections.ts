import type { RejectionCode } from '../../model/rejections.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';

/** Rejections in a row, each of a request that answered the one before, at which a strategy fails. */
export const REJECTIONS_MAX = 100;
/** Rejections that may wait to be shown. */
export const WAITING_MAX = 1_000;

/** Between two rejections of answers: 10 a second. */
const GAP_US = 100 * US_PER_MS;
/** Between two that the strategy cannot mend: 1 a second. */
const PASSING_GAP_US = US_PER_SECOND;

/** Rejections that end by themselves: they say nothing about the strategy, so they are not counted. */
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

/** How many rejections in a row a command answers: those of this strategy, each given at once. */
export type Streak = number;

export interface RejectionsHost {
  readonly scheduler: Scheduler;
  /** Lets something be seen as an event of its own. */
  soon(show: () => void): void;
  /** Called when the strategy answers rejections without end. */
  endless(what: string): void;
}

/**
 * Shows rejections to a strategy. One that places again as soon as it is rejected would be rejected
 * again in the same turn, for ever: the process would do nothing else. So the rejection of a
 * request that answered a rejection is shown in a later turn, 10 a second at most; whatever has
 * no answer to a rejection behind it is shown at once.
 */
export class PacedRejections {
  /** What a command answers that the strategy emits now. */
  answering: Streak = 0;
  readonly #host: RejectionsHost;
  /** What the command answers that is handled now. */
  #handling: Streak = 0;
  /** What the command that is handled would show of its orders, which are rejected. */
  #kept: (() => void)[] = [];
  /** Requests that answer a rejection, by client order id. */
  readonly #answers = new Map<string, Streak>();
  readonly #waiting: { readonly gapUs: number; readonly show: () => void }[] = [];
  #nextAt = Number.NEGATIVE_INFINITY;
  #cancel: Cancel | undefined;

  constructor(host: RejectionsHost) {
    this.#host = host;
  }

  /** Handles a command that answers so many rejections in a row. */
  handling<T>(streak: Streak, handle: () => T): T {
    this.#handling = streak;
    try {
      return handle();
    } finally {
      this.#handling = 0;
    }
  }

  /** Notes that a request leaves for the command that is handled. */
  sent(clientOrderId: string): void {
    if (this.#handling > 0) this.#answers.set(clientOrderId, this.#handling);
  }

  /** Keeps what the command that is handled would show of a rejected order, for `rejectKept`. */
  keep(show: () => void): void {
    this.#kept.push(show);
  }

  /** The streak that a request stands in; it ends here, as the venue has answered. */
  answered(clientOrderId: string): Streak {
    const streak = this.#answers.get(clientOrderId) ?? 0;
    if (streak > 0) this.#answers.delete(clientOrderId);
    return streak;
  }

  /** Shows that a command was rejected: what was kept of it. */
  rejectKept(streak: Streak, code: RejectionCode, what: string): void {
    const kept = this.#kept;
    this.#kept = [];
    this.reject(streak, code, what, () => {
      for (const show of kept) show();
    });
  }

  /**
   * Shows that a request was rejected which stood in a streak: at once for the first, in a later turn
   * for an answer. `what` is the rejection in a sentence.
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

  /** Drops what waits. */
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
