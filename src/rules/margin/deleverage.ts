import type { Decimal } from '../../model/decimal.ts';
import { quotient, RATE_PLACES } from './quotient.ts';

/** A position in the queue of those that are reduced when an insurance fund is empty. */
export interface Ranked {
  readonly pnl: Decimal;
  /** Value at entry. */
  readonly entryValue: Decimal;
  /** Value now. */
  readonly value: Decimal;
  /** Margin and unrealised result. */
  readonly equity: Decimal;
}

/**
 * Place in that queue, the greatest first: result as a share of the entry value × effective leverage
 * for a gain, ÷ effective leverage for a loss. Rounded to 18 decimals at both divisions. `equity` is
 * positive.
 */
export function deleverageRank({ pnl, entryValue, value, equity }: Ranked): Decimal {
  const share = quotient(pnl, entryValue, RATE_PLACES, 'near');
  return pnl.isNegative()
    ? quotient(share.times(equity), value, RATE_PLACES, 'near')
    : quotient(share.times(value), equity, RATE_PLACES, 'near');
}

/** The indicator 0 to 4 that the service shows: the fifth of the queue, 4 at its head. */
export const deleverageIndicator = (index: number, count: number): number =>
  4 - Math.floor((5 * index) / count);
