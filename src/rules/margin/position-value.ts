import type { Decimal } from '../../model/decimal.ts';
import { wholeQuotient } from './quotient.ts';

/** A position as the formulas see it. */
export interface PositionValue {
  /** Positive for a long, negative for a short. */
  readonly quantity: Decimal;
  /** What its entry cost or brought: |quantity| × entry price, positive either way. */
  readonly value: Decimal;
}

/** What a position would bring at a price, over what its entry cost; fees apart. */
export const unrealisedPnl = ({ quantity, value }: PositionValue, price: Decimal): Decimal =>
  quantity.isNegative() ? value.plus(quantity.times(price)) : quantity.times(price).minus(value);

/** What a position is worth at a price, positive either way. */
export const valueAt = ({ quantity }: PositionValue, price: Decimal): Decimal =>
  quantity.abs().times(price);

/** Entry price as the service shows it: at the tick size, half up; inside it is the exact quotient. */
export const entryPrice = ({ quantity, value }: PositionValue, tickSize: Decimal): Decimal =>
  wholeQuotient(value, quantity.abs().times(tickSize), 'near').times(tickSize);
