import type { Instrument } from '../model/instrument.ts';
import type { OrderTerms } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';

/** An order that closes a position has no quantity of its own. */
type Sized = Pick<OrderTerms, 'lots' | 'ticks' | 'margin'>;

/**
 * Why an order is too small for its symbol; nothing where it is not. The value counts where the order has a
 * limit price: that of a market order is known to the venue alone.
 */
export function minimumRejection(instrument: Instrument, order: Sized): Rejection | undefined {
  const { minLots, minNotional } = instrument;
  const { lots, ticks, margin } = order;
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
  if (minNotional === undefined || ticks === undefined) return undefined;
  const value = instrument.valueAmount(ticks, lots);
  if (value.minus(minNotional).sign >= 0) return undefined;
  const limit = minNotional.toFixed();
  return {
    code: 'value-below-minimum',
    field: 'quantity',
    message: `price × quantity is ${value.toFixed()} ${instrument.quoteCurrency} and must be at least ${limit}.`,
    limit,
  };
}
