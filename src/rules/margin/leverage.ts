import type { Decimal } from '../../model/decimal.ts';
import { quotient } from './quotient.ts';

/**
 * Effective leverage for display: position value at the index or mark price ÷ (margin + unrealized
 * PnL), rounded half up; `undefined` without positive equity. The exchange itself compares
 * products.
 */
export const effectiveLeverage = (
  value: Decimal,
  equity: Decimal,
  places = 4,
): Decimal | undefined =>
  equity.greaterThan(0) ? quotient(value, equity, places, 'near') : undefined;

/** True if the effective leverage has reached a limit; always true without positive equity. */
export const reachesLeverage = (value: Decimal, equity: Decimal, limit: Decimal): boolean =>
  value.greaterThanOrEqualTo(equity.times(limit));
