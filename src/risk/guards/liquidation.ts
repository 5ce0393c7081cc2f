import { brief, type Decimal } from '../../model/decimal.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import type { RiskSettings } from '../settings.ts';
import type { MarginView } from '../view.ts';
import type { Breach } from './breach.ts';

/** A reported position is safe again at this multiple of the limit. */
const SAFE_AT = 2;

/** Delay before a close without effect is sent again while the position is too near. */
export const CLOSE_RETRY_US = 10 * US_PER_SECOND;

/** A position too near to its liquidation. */
export interface NearLiquidation {
  readonly symbol: string;
  readonly mode: MarginMode;
  /** A sentence for people. */
  readonly why: string;
  /** Set if the limits lead to a state, not only to a warning. */
  readonly breach?: Breach | undefined;
  /** Target distance, as a fraction of the mark price. */
  readonly distance?: Decimal | undefined;
}

/**
 * Monitors the distance of mark prices from the venue's liquidation prices. A reported position is
 * disarmed until its distance is twice the limit again, or it has ended; one that is to be reduced
 * is reported again if it was reduced and is still too near.
 */
export class LiquidationGuard {
  readonly #limits: RiskSettings;
  /** Lots of the reported positions, without sign. */
  readonly #reportedLots = new Map<string, number>();

  constructor(limits: RiskSettings) {
    this.#limits = limits;
  }

  /** Positions that have become too near since the last check. */
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
        const gap =
          liquidationPrice === undefined
            ? mark
            : lots > 0
              ? mark.minus(liquidationPrice)
              : liquidationPrice.minus(mark);
        if (gap.greaterThanOrEqualTo(mark.times(limit).times(SAFE_AT)))
          this.#reportedLots.delete(key);
        const size = Math.abs(lots);
        if (!gap.lessThan(mark.times(limit)) || !this.#isNews(key, size)) continue;
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

  /**
   * Reports a position again while it is too near, after the order to reduce it changed nothing.
   */
  again(symbol: string, mode: MarginMode): void {
    this.#reportedLots.delete(`${mode} ${symbol}`);
  }

  /** Notes that an operator resumes trading: positions too near are reported again. */
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
    return { why, breach, distance: limit.times(SAFE_AT) };
  }
}
