import type { Decimal } from '../../model/decimal.ts';
import { quotient, RATE_PLACES } from './quotient.ts';

/** A position in the queue of auto-deleveraging. */
export interface Ranked {
  readonly pnl: Decimal;
  /** Value at entry. */
  readonly entryValue: Decimal;
  /** Current value. */
  readonly value: Decimal;
  /** Margin and unrealized PnL. */
  readonly equity: Decimal;
}

/**
 * Rank in the ADL queue, the greatest first: PnL as a share of the entry value × effective leverage
 * for a gain, ÷ effective leverage for a loss. Rounded to 18 decimals at both divisions. `equity`
 * is positive.
 */
export function deleverageRank({ pnl, entryValue, value, equity }: Ranked): Decimal {
  const share = quotient(pnl, entryValue, RATE_PLACES, 'near');
  return pnl.isNegative()
    ? quotient(share.times(equity), value, RATE_PLACES, 'near')
    : quotient(share.times(value), equity, RATE_PLACES, 'near');
}

/** ADL indicator 0 to 4 of the service: the fifth of the queue, 4 at its head. */
export const deleverageIndicator = (index: number, count: number): number =>
  4 - Math.floor((5 * index) / count);
