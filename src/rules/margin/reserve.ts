import { Decimal, ZERO } from '../../model/decimal.ts';
import { AMOUNT_PLACES, quotient } from './quotient.ts';

/**
 * What an open order holds of a margin account's funds: v × (1/L + f + f × (1 + 1/L)), its initial
 * margin, the taker's fee to open, and the taker's fee to close at the price at which a short has
 * nothing left. `value` is price × what is left of the quantity. Rounded up to 12 decimals. Fits
 * every published order record (docs/margin.md).
 */
export const orderReserve = (value: Decimal, leverage: Decimal, rate: Decimal): Decimal =>
  quotient(
    value.times(rate.times(leverage).times(2).plus(rate).plus(1)),
    leverage,
    AMOUNT_PLACES,
    'up',
  );

/**
 * What a position holds, to be able to be closed: (N/L + δ) + x × (N + N/L + δ), its initial margin
 * and open loss and the taker's fee on both. `loss` is δ, zero for a gain; `extraRate` is what is
 * charged on top of the taker's fee, for a position that is being closed by force. Rounded up to 12
 * decimals. Fits the published position records.
 */
export function positionReserve(
  value: Decimal,
  leverage: Decimal,
  rate: Decimal,
  loss: Decimal = ZERO,
  extraRate: Decimal = ZERO,
): Decimal {
  const fees = rate.plus(extraRate);
  // Times L: N + δL + x × (NL + N + δL).
  const scaledLoss = Decimal.max(loss, ZERO).times(leverage);
  const closing = value.times(leverage.plus(1)).plus(scaledLoss);
  return quotient(value.plus(scaledLoss).plus(fees.times(closing)), leverage, AMOUNT_PLACES, 'up');
}
