import { micros, type Micros } from '../platform/time.ts';
import type { VirtualScheduler } from '../platform/virtual-scheduler.ts';
import type { Performance } from './metrics/performance.ts';

/**
 * Takes a sample of equity when warm-up ends, before what happens then, at every whole period after
 * it and at the end, each time after what happens then.
 */
export class Sampler {
  readonly #performance: Performance;
  readonly #scheduler: VirtualScheduler;
  readonly #periodUs: number;
  #lastAt = Number.NaN;

  constructor(
    performance: Performance,
    scheduler: VirtualScheduler,
    startAt: Micros,
    periodUs: number,
  ) {
    this.#performance = performance;
    this.#scheduler = scheduler;
    this.#periodUs = periodUs;
    scheduler.at(startAt, () => {
      this.#take(startAt);
    });
  }

  /** Takes the last sample, for a period that need not be whole. */
  end(at: Micros): void {
    if (at !== this.#lastAt) this.#performance.sample(at, at - this.#lastAt === this.#periodUs);
  }

  #take(at: Micros): void {
    if (this.#performance.sample(at, at - this.#lastAt === this.#periodUs)) this.#lastAt = at;
    // A microsecond later, everything of the time of the sample has happened.
    const next = micros(at + this.#periodUs);
    this.#scheduler.at(micros(next + 1), () => {
      this.#take(next);
    });
  }
}
