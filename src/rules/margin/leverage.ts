import type { Decimal } from '../../model/decimal.ts';
import { quotient } from './quotient.ts';

/**
 * Effective leverage: position value at the index or mark price ÷ (margin + unrealised result),
 * rounded half up to so many decimals; `undefined` where nothing is left to divide by. For showing:
 * the exchange itself compares products.
 */
export const effectiveLeverage = (
  value: Decimal,
  equity: Decimal,
  places = 4,
): Decimal | undefined =>
  equity.greaterThan(0) ? quotient(value, equity, places, 'near') : undefined;

/** True when the effective leverage has reached a limit; always where nothing is left. */
export const reachesLeverage = (value: Decimal, equity: Decimal, limit: Decimal): boolean =>
  value.greaterThanOrEqualTo(equity.times(limit));
