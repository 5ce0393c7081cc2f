import { Decimal, ZERO } from '../../model/decimal.ts';
import { AMOUNT_PLACES, quotient, type Direction } from './quotient.ts';

/**
 * What an open order holds of a margin account's funds: v × (1/L + f + f × (1 + 1/L)), its initial
 * margin, the taker's fee to open, and the taker's fee to close at the price at which a short has
 * nothing left. `value` is price × what is left of the quantity. To 12 decimals, rounded up where
 * nothing else is asked for. Fits every published order record (docs/margin-and-futures.md).
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

/** What decides how much a position holds. */
export interface Held {
  /** What its entry cost or brought, positive either way: N of the formula. */
  readonly value: Decimal;
  readonly leverage: Decimal;
  /** The fee rate that is reckoned with: the taker's, or the reserve rate of the terms. */
  readonly rate: Decimal;
  /** Open loss, positive; a gain counts as none. */
  readonly loss?: Decimal;
  /** What is charged on top of the taker's fee where a position is being closed by force. */
  readonly extraRate?: Decimal;
}

/**
 * What a position holds, to be able to be closed: (N/L + δ) + x × (N + N/L + δ), its initial margin
 * and open loss and the fee on both. To 12 decimals, rounded up where nothing else is asked for. Fits
 * the published position records.
 */
export function positionReserve(
  { value, leverage, rate, loss = ZERO, extraRate = ZERO }: Held,
  direction: Direction = 'up',
): Decimal {
  const fees = rate.plus(extraRate);
  // Times L: N + δL + x × (NL + N + δL).
  const scaledLoss = Decimal.max(loss, ZERO).times(leverage);
  const closing = value.times(leverage.plus(1)).plus(scaledLoss);
  const scaled = value.plus(scaledLoss).plus(fees.times(closing));
  return quotient(scaled, leverage, AMOUNT_PLACES, direction);
}
