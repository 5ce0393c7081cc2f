import { Decimal as DecimalJs } from 'decimal.js';
import { Decimal } from '../../model/decimal.ts';
import type { RiskLimit } from '../../model/margin-terms.ts';
import { AMOUNT_PLACES, rounded } from './quotient.ts';

/** A fractional power has no last digit; sixty are far more than the twelve that are kept. */
const Powers = DecimalJs.clone({ precision: 60 });

/**
 * Largest value of a position at a leverage: base ÷ leverage^power, rounded down to 12 decimals;
 * `undefined` (no limit) up to the threshold. The service publishes the three numbers without a
 * formula, so this formula is the project's choice.
 */
export function positionValueMax(limit: RiskLimit, leverage: Decimal): Decimal | undefined {
  if (leverage.lessThanOrEqualTo(limit.threshold)) return undefined;
  const share = new Powers(leverage.toFixed()).pow(limit.power.toFixed());
  const most = new Powers(limit.base.toFixed()).div(share);
  return rounded(new Decimal(most.toFixed()), AMOUNT_PLACES, 'down');
}
