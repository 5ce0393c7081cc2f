import { US_PER_SECOND, type Micros } from '../platform/time.ts';

/** Counts events in a moving window: after `at - spanUs`, `at` included. */
export class RateWindow {
  readonly #spanUs: number;
  #times: number[] = [];
  /** Index of the first time that may still count. */
  #first = 0;

  constructor(spanUs: number = US_PER_SECOND) {
    this.#spanUs = spanUs;
  }

  add(at: Micros): void {
    this.#forget(at);
    this.#times.push(at);
  }

  count(now: Micros): number {
    this.#forget(now);
    return this.#times.length - this.#first;
  }

  clear(): void {
    this.#times = [];
    this.#first = 0;
  }

  #forget(now: Micros): void {
    const times = this.#times;
    while (this.#first < times.length && times[this.#first] <= now - this.#spanUs) this.#first += 1;
    if (this.#first * 2 < times.length) return;
    this.#times = times.slice(this.#first);
    this.#first = 0;
  }
}
