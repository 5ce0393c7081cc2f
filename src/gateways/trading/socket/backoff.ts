import type { Random } from '../../../platform/random.ts';
import { backoffUs } from '../../http/backoff.ts';

/** The waits between attempts to connect, each drawn as those between readings are, up to a cap. */
export class Backoff {
  readonly #firstUs: number;
  readonly #longestUs: number;
  readonly #random: Random;
  #attempts = 0;

  constructor(firstUs: number, longestUs: number, random: Random) {
    this.#firstUs = firstUs;
    this.#longestUs = longestUs;
    this.#random = random;
  }

  /** The wait before the next attempt, in whole microseconds. */
  next(): number {
    this.#attempts += 1;
    const bounds = { firstUs: this.#firstUs, longestUs: this.#longestUs };
    return backoffUs(bounds, this.#attempts, this.#random);
  }

  /** The next wait is a short one again. */
  reset(): void {
    this.#attempts = 0;
  }
}
