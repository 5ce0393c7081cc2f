import type { Decimal } from '../../model/decimal.ts';
import { wholeQuotient } from './quotient.ts';

/** A position as the formulas take it. */
export interface PositionValue {
  /** Positive for a long, negative for a short. */
  readonly quantity: Decimal;
  /** Entry value: |quantity| × entry price, positive for both sides. */
  readonly value: Decimal;
}

/** Unrealized PnL at a price, before fees. */
export const unrealizedPnl = ({ quantity, value }: PositionValue, price: Decimal): Decimal =>
  quantity.isNegative() ? value.plus(quantity.times(price)) : quantity.times(price).minus(value);

/** Value of a position at a price, positive for both sides. */
export const valueAt = ({ quantity }: PositionValue, price: Decimal): Decimal =>
  quantity.abs().times(price);

/**
 * Entry price as the service shows it: at the tick size, half up; the exact quotient is used
 * inside.
 */
export const entryPrice = ({ quantity, value }: PositionValue, tickSize: Decimal): Decimal =>
  wholeQuotient(value, quantity.abs().times(tickSize), 'near').times(tickSize);
