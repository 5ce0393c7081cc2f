import { US_PER_SECOND } from '../../platform/time.ts';

/** The wait after a first failure; it doubles with each further one. */
export const FIRST_PAUSE_US = US_PER_SECOND;
/** The longest wait. */
export const LONGEST_PAUSE_US = 64 * US_PER_SECOND;

/**
 * The pace at which a managed order is tried again. It is tried again on a change of the market only, as
 * nothing else makes the same order succeed: after a part was filled on the next one, after a
 * failure on the first that comes a second later, after another failure two seconds, up to 64.
 */
export class Pause {
  #failures = 0;
  #until = 0;
  #waiting = false;

  /** True while nothing may be sent. */
  get isOn(): boolean {
    return this.#waiting;
  }

  /** After a rejection, an expiry, a cancel from outside, an execution of nothing. */
  fail(now: number): void {
    this.#until = now + Math.min(LONGEST_PAUSE_US, FIRST_PAUSE_US * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 16);
    this.#waiting = true;
  }

  /** After a part: the next change of the market will do. */
  wait(): void {
    this.#failures = 0;
    this.#until = 0;
    this.#waiting = true;
  }

  /** After an order that came to stand, or for a managed order that is not the one that failed. */
  lift(): void {
    this.#failures = 0;
    this.#waiting = false;
  }

  /** The market changed; gives true when that ended the pause. */
  market(now: number): boolean {
    if (!this.#waiting || now < this.#until) return false;
    this.#waiting = false;
    return true;
  }
}
