import type { QualityIssues } from './findings.ts';

/** Prices that the median is of; odd, so that it is one of them. */
const WINDOW = 101;
/** Below so many there is no verdict. */
const ENOUGH = 21;
const RANGES = 10;
const SHARE = 0.005;

/**
 * Finds prices that stand alone: the rule is in the table of checks. Median and quartiles move
 * little by a few bad prices, so that one outlier does not hide the next.
 */
export class Outliers {
  readonly #findings: QualityIssues;
  readonly #ring = new Float64Array(WINDOW);
  readonly #sorted = new Float64Array(WINDOW);
  #length = 0;
  #next = 0;

  constructor(findings: QualityIssues) {
    this.#findings = findings;
  }

  /** Judges a price by those that were added before. */
  judge(ticks: number): void {
    if (this.#length < ENOUGH) return;
    const median = this.#sorted[this.#length >> 1];
    const quarter = this.#length >> 2;
    const range = this.#sorted[this.#length - 1 - quarter] - this.#sorted[quarter];
    const limit = Math.max(RANGES * range, SHARE * Math.abs(median));
    if (Math.abs(ticks - median) <= limit) return;
    this.#findings.note('outlier', () => `${ticks} ticks, the median before it is ${median}`);
  }

  add(ticks: number): void {
    if (this.#length === WINDOW) this.#remove(this.#ring[this.#next]);
    this.#ring[this.#next] = ticks;
    this.#next = (this.#next + 1) % WINDOW;
    const index = this.#find(ticks);
    this.#sorted.copyWithin(index + 1, index, this.#length);
    this.#sorted[index] = ticks;
    this.#length += 1;
  }

  #remove(ticks: number): void {
    const index = this.#find(ticks);
    this.#sorted.copyWithin(index, index + 1, this.#length);
    this.#length -= 1;
  }

  /** The first index whose price is not below `ticks`. */
  #find(ticks: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sorted[middle] < ticks) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
