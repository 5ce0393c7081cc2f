import { NOTHING, type Amount } from '../../model/amount.ts';
import type { Micros } from '../../platform/time.ts';

/**
 * How far equity fell below its highest value so far, and for how long.
 *
 * Drawdown at t = max(equity up to t) − equity(t); as a ratio it is divided by that maximum. The
 * maximum is recorded in money and as a ratio, separately, since the largest amount need not be the
 * largest share. A drawdown lasts from the time of a peak until equity is at or above it again, or
 * to the end of the run.
 */
export class Drawdown {
  #peak: Amount | undefined;
  #peakAt = 0;
  /** Maximum drawdown in money. */
  maxAmount: Amount = NOTHING;
  /** Maximum drawdown as a share of the peak before it, 0 to 1 (above 1 for negative equity). */
  maxRatio = 0;
  maxRatioPeakAt: Micros | undefined;
  maxRatioTroughAt: Micros | undefined;
  /** Longest drawdown duration, in microseconds. */
  longestUs = 0;

  /** Adds the next value of equity and returns its drawdown ratio. */
  sample(at: Micros, equity: Amount): number {
    if (this.#peak === undefined || !equity.lessThan(this.#peak)) {
      if (this.#peak !== undefined && this.#below) this.#updateDuration(at);
      this.#peak = equity;
      this.#peakAt = at;
      this.#below = false;
      return 0;
    }
    this.#below = true;
    this.#updateDuration(at);
    const amount = this.#peak.minus(equity);
    if (amount.greaterThan(this.maxAmount)) this.maxAmount = amount;
    const ratio = this.#peak.sign > 0 ? amount.toNumber() / this.#peak.toNumber() : Number.NaN;
    if (ratio > this.maxRatio) {
      this.maxRatio = ratio;
      this.maxRatioPeakAt = this.#peakAt as Micros;
      this.maxRatioTroughAt = at;
    }
    return ratio;
  }

  #below = false;

  #updateDuration(at: Micros): void {
    this.longestUs = Math.max(this.longestUs, at - this.#peakAt);
  }
}
