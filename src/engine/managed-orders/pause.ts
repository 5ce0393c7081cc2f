import { US_PER_SECOND } from '../../platform/time.ts';

/** Delay after a first failure; it doubles with each further one. */
export const FIRST_PAUSE_US = US_PER_SECOND;
/** Longest delay. */
export const LONGEST_PAUSE_US = 64 * US_PER_SECOND;

/**
 * Retry pace of a managed order. It is retried only on market changes, as nothing else makes the
 * same order succeed: after a partial fill on the next one, after a failure on the first one a
 * second later, after another failure two seconds, up to 64.
 */
export class Pause {
  #failures = 0;
  #until = 0;
  #waiting = false;

  /** True while nothing may be sent. */
  get isOn(): boolean {
    return this.#waiting;
  }

  /** Starts a pause after a rejection, an expiry, a foreign cancel or an order without a fill. */
  fail(now: number): void {
    this.#until = now + Math.min(LONGEST_PAUSE_US, FIRST_PAUSE_US * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 16);
    this.#waiting = true;
  }

  /** Starts a pause after a partial fill: the next market change ends it. */
  wait(): void {
    this.#failures = 0;
    this.#until = 0;
    this.#waiting = true;
  }

  /** Ends the pause after a resting order, or for a new managed order. */
  lift(): void {
    this.#failures = 0;
    this.#waiting = false;
  }

  /** Applies a market change; returns true if it ended the pause. */
  market(now: number): boolean {
    if (!this.#waiting || now < this.#until) return false;
    this.#waiting = false;
    return true;
  }
}
