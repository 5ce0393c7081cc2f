import { Decimal, ZERO } from '../../model/decimal.ts';
import { AMOUNT_PLACES, quotient, type Direction } from './quotient.ts';

/**
 * Margin of an open order: v × (1/L + f + f × (1 + 1/L)), its initial margin, the taker fee to
 * open, and the taker fee to close at the price at which a short has nothing left. `value` is price
 * × remaining quantity. To 12 decimals, rounded up by default. Fits every published order record
 * (docs/margin-and-futures.md).
 */
export const orderReserve = (
  value: Decimal,
  leverage: Decimal,
  rate: Decimal,
  direction: Direction = 'up',
): Decimal =>
  quotient(
    value.times(rate.times(leverage).times(2).plus(rate).plus(1)),
    leverage,
    AMOUNT_PLACES,
    direction,
  );

/** Inputs of a position's margin. */
export interface PositionReserveInput {
  /** Entry value, positive for both sides: N of the formula. */
  readonly value: Decimal;
  readonly leverage: Decimal;
  /** Fee rate: the taker's, or the reserve rate of the terms. */
  readonly rate: Decimal;
  /** Open loss, positive; 0 for a gain. */
  readonly loss?: Decimal;
  /** Extra fee rate on top of the taker's for a forced close. */
  readonly extraRate?: Decimal;
}

/**
 * Margin of a position, so that it can be closed: (N/L + δ) + x × (N + N/L + δ), its initial margin
 * and open loss and the fee on both. To 12 decimals, rounded up by default. Fits the published
 * position records.
 */
export function positionReserve(
  { value, leverage, rate, loss = ZERO, extraRate = ZERO }: PositionReserveInput,
  direction: Direction = 'up',
): Decimal {
  const fees = rate.plus(extraRate);
  // Times L: N + δL + x × (NL + N + δL).
  const scaledLoss = Decimal.max(loss, ZERO).times(leverage);
  const closing = value.times(leverage.plus(1)).plus(scaledLoss);
  const scaled = value.plus(scaledLoss).plus(fees.times(closing));
  return quotient(scaled, leverage, AMOUNT_PLACES, direction);
}
