import type { Decimal } from '../../model/decimal.ts';
import { ZERO } from '../../model/decimal.ts';
import { unrealizedPnl, valueAt, type PositionValue } from './position-value.ts';
import { AMOUNT_PLACES, quotient } from './quotient.ts';

/** A position with its price and its maintenance terms. */
export interface MarkedPosition extends PositionValue {
  readonly price: Decimal;
  readonly rate: Decimal;
  /** Leverage of its liquidation or margin call. */
  readonly leverage: Decimal;
}

/**
 * Maintenance margin: a × P × (1/Λ + f), its value over the leverage limit and the taker fee to
 * close, rounded up to 12 decimals.
 */
export const maintenance = (position: MarkedPosition): Decimal => {
  const { price, rate, leverage } = position;
  const value = valueAt(position, price);
  return quotient(value.times(rate.times(leverage).plus(1)), leverage, AMOUNT_PLACES, 'up');
};

/** Equity of a margin account: its balance and the unrealized PnL of its positions. */
export const equity = (balance: Decimal, positions: readonly MarkedPosition[]): Decimal =>
  positions.reduce((sum, one) => sum.plus(unrealizedPnl(one, one.price)), balance);

/** Maintenance margin of all positions. */
export const requirement = (positions: readonly MarkedPosition[]): Decimal =>
  positions.reduce((sum, one) => sum.plus(maintenance(one)), ZERO);

/**
 * Funds of a cross account for one position: its balance and the PnL of the others, less their
 * maintenance margin. With these as the funds of an isolated account, the threshold price of this
 * position is that at which it brings the account down while the others stay unchanged.
 */
export function fundsFor(
  balance: Decimal,
  positions: readonly MarkedPosition[],
  index: number,
): Decimal {
  const others = positions.filter((_, other) => other !== index);
  return equity(balance, others).minus(requirement(others));
}
