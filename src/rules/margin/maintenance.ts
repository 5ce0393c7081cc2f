import type { Decimal } from '../../model/decimal.ts';
import { ZERO } from '../../model/decimal.ts';
import { unrealisedPnl, valueAt, type PositionValue } from './position-value.ts';
import { AMOUNT_PLACES, quotient } from './quotient.ts';

/** A position with its price and what it must keep of it. */
export interface MarkedPosition extends PositionValue {
  readonly price: Decimal;
  readonly rate: Decimal;
  /** The leverage at which it would be liquidated or called. */
  readonly leverage: Decimal;
}

/**
 * What a position must keep: a × P × (1/Λ + f), its value over the leverage limit and the taker's fee
 * to close, rounded up to 12 decimals.
 */
export const maintenance = (position: MarkedPosition): Decimal => {
  const { price, rate, leverage } = position;
  const value = valueAt(position, price);
  return quotient(value.times(rate.times(leverage).plus(1)), leverage, AMOUNT_PLACES, 'up');
};

/** What a margin account is worth: its balance and the unrealised results of its positions. */
export const equity = (balance: Decimal, positions: readonly MarkedPosition[]): Decimal =>
  positions.reduce((sum, one) => sum.plus(unrealisedPnl(one, one.price)), balance);

/** What its positions must keep together. */
export const requirement = (positions: readonly MarkedPosition[]): Decimal =>
  positions.reduce((sum, one) => sum.plus(maintenance(one)), ZERO);

/**
 * What of a cross account is there for one position: its balance, the results of the others, less
 * what the others must keep. In the place of an isolated account's funds it gives the price at which
 * this position would bring the account down while the others stand still.
 */
export function fundsFor(
  balance: Decimal,
  positions: readonly MarkedPosition[],
  index: number,
): Decimal {
  const others = positions.filter((_, other) => other !== index);
  return equity(balance, others).minus(requirement(others));
}
