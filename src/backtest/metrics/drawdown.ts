import { NOTHING, type Amount } from '../../model/amount.ts';
import type { Micros } from '../../platform/time.ts';

/**
 * How far equity fell below its highest value so far, and for how long it stayed there.
 *
 * Drawdown at t = max(equity up to t) − equity(t); as a ratio it is divided by that maximum. The
 * deepest is kept in money and as a ratio, each on its own, since the largest sum need not be the
 * largest share. A spell lasts from the time of a peak until equity is at or above it again, or to
 * the end of the run.
 */
export class Drawdown {
  #peak: Amount | undefined;
  #peakAt = 0;
  /** Deepest fall in money. */
  maxAmount: Amount = NOTHING;
  /** Deepest fall as a share of the peak before it, 0 to 1 (above 1 when equity turns negative). */
  maxRatio = 0;
  maxRatioPeakAt: Micros | undefined;
  maxRatioTroughAt: Micros | undefined;
  /** Longest spell below a peak, in microseconds. */
  longestUs = 0;

  /** Takes the next value of equity and gives the drawdown ratio there. */
  sample(at: Micros, equity: Amount): number {
    if (this.#peak === undefined || !equity.lessThan(this.#peak)) {
      if (this.#peak !== undefined && this.#below) this.#lasted(at);
      this.#peak = equity;
      this.#peakAt = at;
      this.#below = false;
      return 0;
    }
    this.#below = true;
    this.#lasted(at);
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

  #lasted(at: Micros): void {
    this.longestUs = Math.max(this.longestUs, at - this.#peakAt);
  }
}
