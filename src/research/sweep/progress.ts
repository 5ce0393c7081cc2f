import { elapsedNs } from '../../platform/stopwatch.ts';
import type { SweepProgress } from './options.ts';
import type { Outcome } from './runner.ts';

/** Counts runs as they end, and returns the rate and the remaining time. */
export class ProgressMeter {
  readonly #began = elapsedNs();
  readonly #total: number;
  readonly #listener: ((progress: SweepProgress) => void) | undefined;
  #done = 0;
  #reused = 0;
  #failed = 0;

  constructor(total: number, listener: ((progress: SweepProgress) => void) | undefined) {
    this.#total = total;
    this.#listener = listener;
  }

  /** Sets without a run of their own. */
  get reused(): number {
    return this.#reused;
  }

  /** Counts a set whose run existed already. */
  found(): void {
    this.#reused += 1;
  }

  ended({ fault }: Outcome): void {
    this.#done += 1;
    if (fault !== undefined) this.#failed += 1;
    const seconds = (elapsedNs() - this.#began) / 1e9;
    const runsPerSecond = this.#done / seconds;
    this.#listener?.({
      done: this.#reused + this.#done,
      total: this.#total,
      failed: this.#failed,
      runsPerSecond,
      secondsLeft: (this.#total - this.#reused - this.#done) / runsPerSecond,
    });
  }
}
