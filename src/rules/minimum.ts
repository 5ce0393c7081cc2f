import { Amount } from '../model/amount.ts';
import type { Instrument } from '../model/instrument.ts';
import type { NewOrder, OrderTerms } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Ticks } from '../model/units.ts';

/** An order that closes a position has no quantity. */
type Sized = Pick<OrderTerms, 'lots' | 'ticks' | 'stopTicks' | 'margin'>;

/**
 * Rejects an order that its venue would reject as too small. Orders that only reduce risk are
 * always sent: a sale on spot, and closing or reducing orders. The venue decides about those, and
 * may value them differently. `lastTicks` may be between two ticks, as a mid price is, and counts
 * as the upper one.
 */
export const openingMinimumRejection = (
  instrument: Instrument,
  order: Sized & Pick<NewOrder, 'side'>,
  lastTicks: number,
): Rejection | undefined =>
  (order.margin === undefined ? order.side === 'sell' : order.margin.reduceOnly === true)
    ? undefined
    : minimumRejection(instrument, order, Math.ceil(lastTicks));

/**
 * Rejects an order that is too small for its symbol. It is valued at its price, else at its stop
 * price, else at the last trade; `lastTicks` is 0 or NaN before the first, and then the value is
 * not checked. Reduce-only orders have no minimum value.
 */
export function minimumRejection(
  instrument: Instrument,
  { lots, ticks, stopTicks, margin }: Sized,
  lastTicks = 0,
): Rejection | undefined {
  const { minLots, minNotional } = instrument;
  if (margin?.closePosition === true) return undefined;
  if (lots < minLots) {
    const limit = instrument.size(minLots).toFixed();
    return {
      code: 'quantity-below-minimum',
      field: 'quantity',
      message: `quantity is ${instrument.size(lots).toFixed()} and must be at least ${limit}.`,
      limit,
    };
  }
  const price = ticks ?? stopTicks ?? lastTicks;
  if (minNotional === undefined || margin?.reduceOnly === true || !(price > 0)) return undefined;
  const { contractSize } = instrument.terms;
  const value =
    contractSize === undefined
      ? instrument.valueAmount(price as Ticks, lots)
      : Amount.of(instrument.value(price as Ticks, lots).times(contractSize));
  if (value.minus(minNotional).sign >= 0) return undefined;
  const limit = minNotional.toFixed();
  return {
    code: 'value-below-minimum',
    field: 'quantity',
    message: `price × quantity is ${value.toFixed()} ${instrument.quoteCurrency} and must be at least ${limit}.`,
    limit,
  };
}
