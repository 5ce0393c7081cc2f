import { brief, type Decimal } from '../../model/decimal.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { RiskSettings } from '../settings.ts';
import type { MarginView } from '../view.ts';
import type { Breach } from './breach.ts';

/** A position that has come too near to its liquidation. */
export interface NearLiquidation {
  readonly symbol: string;
  readonly mode: MarginMode;
  /** A sentence for people. */
  readonly why: string;
  /** Present where the limits lead to a state, and not to a warning alone. */
  readonly breach?: Breach | undefined;
}

/**
 * Watches how far the mark prices are from the liquidation prices that the venue shows. A position that
 * was told of is silent until its distance is back at twice the limit, or it has ended.
 */
export class LiquidationGuard {
  readonly #limits: RiskSettings;
  readonly #told = new Set<string>();

  constructor(limits: RiskSettings) {
    this.#limits = limits;
  }

  /** Positions that have come too near since they were looked at last. */
  check(margin: MarginView): readonly NearLiquidation[] {
    const limit = this.#limits.minLiquidationDistance;
    if (limit === undefined) return [];
    const near: NearLiquidation[] = [];
    const seen = new Set<string>();
    for (const { mode, positions } of margin.accounts) {
      for (const { symbol, lots, liquidationPrice } of positions) {
        const mark = margin.markPrice(symbol);
        const key = `${mode} ${symbol}`;
        seen.add(key);
        // Nothing is known of how near it is: what was told of it stands.
        if (mark === undefined) continue;
        const way =
          liquidationPrice === undefined
            ? mark
            : lots > 0
              ? mark.minus(liquidationPrice)
              : liquidationPrice.minus(mark);
        if (way.greaterThanOrEqualTo(mark.times(limit).times(2))) this.#told.delete(key);
        if (!way.lessThan(mark.times(limit)) || this.#told.has(key)) continue;
        this.#told.add(key);
        near.push({ symbol, mode, ...this.#said(symbol, mark, liquidationPrice ?? mark, limit) });
      }
    }
    for (const key of this.#told) if (!seen.has(key)) this.#told.delete(key);
    return near;
  }

  /** A person lets trading go on: what is too near is told again. */
  resumed(): void {
    this.#told.clear();
  }

  #said(
    symbol: string,
    mark: Decimal,
    liquidation: Decimal,
    limit: Decimal,
  ): Pick<NearLiquidation, 'why' | 'breach'> {
    const why = `The position in ${symbol} is liquidated at ${brief(liquidation)} and its mark price is ${brief(mark)}, nearer than ${brief(limit.times(100))} %.`;
    if (this.#limits.onLiquidationDistance !== 'reduce') return { why };
    return { why, breach: { limit: 'liquidation-distance', to: 'reducing', why } };
  }
}
