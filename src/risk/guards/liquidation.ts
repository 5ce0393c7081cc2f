import { brief, type Decimal } from '../../model/decimal.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import type { RiskSettings } from '../settings.ts';
import type { MarginView } from '../view.ts';
import type { Breach } from './breach.ts';

/** At so many times the limit a position is far from its liquidation again. */
const BACK_AT = 2;

/** A closing of which nothing came is sent again after so long, while the position is too near. */
export const CLOSE_AGAIN_US = 10 * US_PER_SECOND;

/** A position that has come too near to its liquidation. */
export interface NearLiquidation {
  readonly symbol: string;
  readonly mode: MarginMode;
  /** A sentence for people. */
  readonly why: string;
  /** Present where the limits lead to a state, and not to a warning alone. */
  readonly breach?: Breach | undefined;
  /** How far it is to be brought back then, as a fraction of the mark price. */
  readonly distance?: Decimal | undefined;
}

/**
 * Watches how far the mark prices are from the liquidation prices that the venue shows. A reported position
 * is silent until its distance is back at twice the limit, or it has ended; one that is to be reduced is
 * reported again where it was reduced and is still too near.
 */
export class LiquidationGuard {
  readonly #limits: RiskSettings;
  /** Lots of the reported positions, without their sign. */
  readonly #reportedLots = new Map<string, number>();

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
        // Its distance is unknown: the last report stays valid.
        if (mark === undefined) continue;
        const way =
          liquidationPrice === undefined
            ? mark
            : lots > 0
              ? mark.minus(liquidationPrice)
              : liquidationPrice.minus(mark);
        if (way.greaterThanOrEqualTo(mark.times(limit).times(BACK_AT)))
          this.#reportedLots.delete(key);
        const size = Math.abs(lots);
        if (!way.lessThan(mark.times(limit)) || !this.#isNews(key, size)) continue;
        this.#reportedLots.set(key, size);
        near.push({
          symbol,
          mode,
          ...this.#reported(symbol, mark, liquidationPrice ?? mark, limit),
        });
      }
    }
    for (const key of this.#reportedLots.keys()) if (!seen.has(key)) this.#reportedLots.delete(key);
    return near;
  }

  #isNews(key: string, size: number): boolean {
    const reported = this.#reportedLots.get(key);
    return (
      reported === undefined || (this.#limits.onLiquidationDistance === 'reduce' && size < reported)
    );
  }

  /** The order to reduce a position changed nothing: report it again while it is too near. */
  again(symbol: string, mode: MarginMode): void {
    this.#reportedLots.delete(`${mode} ${symbol}`);
  }

  /** A person lets trading go on: what is too near is reported again. */
  resumed(): void {
    this.#reportedLots.clear();
  }

  #reported(
    symbol: string,
    mark: Decimal,
    liquidation: Decimal,
    limit: Decimal,
  ): Pick<NearLiquidation, 'why' | 'breach' | 'distance'> {
    const why = `The position in ${symbol} is liquidated at ${brief(liquidation)} and its mark price is ${brief(mark)}, nearer than ${brief(limit.times(100))} %.`;
    if (this.#limits.onLiquidationDistance !== 'reduce') return { why };
    const breach = { limit: 'liquidation-distance', to: 'reducing', why } as const;
    return { why, breach, distance: limit.times(BACK_AT) };
  }
}
