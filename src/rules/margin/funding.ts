import { Decimal, ZERO } from '../../model/decimal.ts';
import { AMOUNT_PLACES, quotient, RATE_PLACES, rounded } from './quotient.ts';

/** Interest rate of funding when the contract trades at its index: 0.01% a period. */
export const INTEREST_RATE: Decimal = new Decimal('0.0001');
/** Largest adjustment of the premium toward it. */
const CLAMP = new Decimal('0.0005');

/** p + clamp(0.0001 − p, −0.0005, +0.0005), where p is the average premium index of the period. */
export const fundingRate = (premium: Decimal): Decimal =>
  premium.plus(Decimal.min(Decimal.max(INTEREST_RATE.minus(premium), CLAMP.negated()), CLAMP));

/** Mean of the samples of a period, zero without any; to 18 decimals, half up. */
export const averagePremium = (sum: Decimal, samples: number): Decimal =>
  samples === 0 ? ZERO : quotient(sum, new Decimal(samples), RATE_PLACES, 'near');

/**
 * (max(0, impact bid − index) − max(0, index − impact ask)) ÷ index, to 18 decimals, half up. An
 * impact price is the average fill price of an order of the impact notional; if its side of the
 * book is empty its term is zero.
 */
export function premiumIndex(
  index: Decimal,
  impactBid: Decimal | undefined,
  impactAsk: Decimal | undefined,
): Decimal {
  const above = impactBid === undefined ? ZERO : Decimal.max(ZERO, impactBid.minus(index));
  const below = impactAsk === undefined ? ZERO : Decimal.max(ZERO, index.minus(impactAsk));
  return quotient(above.minus(below), index, RATE_PLACES, 'near');
}

/**
 * Funding that a position receives, negative if it pays: −q × mark × rate, so that longs pay shorts
 * at a positive rate. Rounded down to 12 decimals, against the payer and the receiver.
 */
export const fundingPayment = (quantity: Decimal, mark: Decimal, rate: Decimal): Decimal =>
  rounded(quantity.times(mark).times(rate).negated(), AMOUNT_PLACES, 'down');
