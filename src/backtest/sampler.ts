import { micros, type Micros } from '../platform/time.ts';
import type { VirtualScheduler } from '../platform/virtual-scheduler.ts';
import type { Performance } from './metrics/performance.ts';

/**
 * Takes a sample of equity when warm-up ends, before the events of that time, at every whole period
 * after it and at the end, each after the events of its time. If a price is missing, the first
 * sample is taken at its first row, before anybody can trade on that row.
 */
export class Sampler {
  readonly #performance: Performance;
  readonly #scheduler: VirtualScheduler;
  readonly #periodUs: number;
  #lastAt = Number.NaN;
  /** Warm-up has ended, and a holding has no price yet. */
  #isWaiting = false;

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

  /** True while the first sample waits for a price; read by the replay before each row. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Called after the marks have applied a row, before venue and strategy. */
  priced(at: Micros): void {
    this.#take(at);
  }

  /** Takes the last sample, for a period that need not be whole. */
  end(at: Micros): void {
    if (at !== this.#lastAt) this.#performance.sample(at, at - this.#lastAt === this.#periodUs);
  }

  #take(at: Micros): void {
    this.#isWaiting = !this.#performance.sample(at, at - this.#lastAt === this.#periodUs);
    if (this.#isWaiting) return;
    this.#lastAt = at;
    // A microsecond later, all events of the sample's time have happened.
    const next = micros(at + this.#periodUs);
    this.#scheduler.at(micros(next + 1), () => {
      this.#take(next);
    });
  }
}
