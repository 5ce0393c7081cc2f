import { Amount, NOTHING } from '../../model/amount.ts';
import type { Micros } from '../../platform/time.ts';
import type { Metrics } from '../result.ts';
import { Drawdown } from './drawdown.ts';
import { annualGrowth, calmar, sharpe, sortino, volatility } from './statistics.ts';

/** Statistics of the sampled equity curve. */
export class Equity {
  readonly drawdown = new Drawdown();
  readonly #returns: number[] = [];
  #samples = 0;
  #sum = NOTHING;
  start: Amount = NOTHING;
  last: Amount = NOTHING;
  high: Amount = NOTHING;
  low: Amount = NOTHING;

  /**
   * Adds the next sample and returns its drawdown ratio. `whole` means that a full sample period
   * has passed since the one before; only such periods make a return.
   */
  sample(at: Micros, equity: Amount, whole: boolean): number {
    if (this.#samples === 0) {
      this.start = equity;
      this.high = equity;
      this.low = equity;
    } else if (whole && this.last.sign > 0) {
      this.#returns.push(equity.minus(this.last).toNumber() / this.last.toNumber());
    }
    this.#samples += 1;
    this.#sum = this.#sum.plus(equity);
    this.last = equity;
    this.high = Amount.max(this.high, equity);
    this.low = Amount.min(this.low, equity);
    return this.drawdown.sample(at, equity);
  }

  get profit(): Amount {
    return this.last.minus(this.start);
  }

  /** Mean of the samples, as a double. */
  get mean(): number {
    return this.#samples === 0 ? 0 : this.#sum.toNumber() / this.#samples;
  }

  /** Statistical figures, not money. */
  ratios(periodUs: number, spanUs: number): EquityRatios {
    const total = this.start.sign > 0 ? this.profit.toNumber() / this.start.toNumber() : Number.NaN;
    const annualReturn = annualGrowth(1 + total, spanUs);
    return {
      totalReturn: Number.isNaN(total) ? null : total,
      annualReturn,
      volatility: volatility(this.#returns, periodUs),
      sharpe: sharpe(this.#returns, periodUs),
      sortino: sortino(this.#returns, periodUs),
      calmar: calmar(annualReturn, this.drawdown.maxRatio),
      returns: this.#returns.length,
    };
  }
}

export type EquityRatios = Pick<
  Metrics,
  'totalReturn' | 'annualReturn' | 'volatility' | 'sharpe' | 'sortino' | 'calmar' | 'returns'
>;
