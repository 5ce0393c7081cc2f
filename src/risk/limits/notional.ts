import { brief } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import { isReducing } from '../margin/risk-position.ts';
import type { Checked } from './checked.ts';
import { freshMarket, worstPrice } from '../price.ts';
import { marketUnknown } from './market-unknown.ts';

/** Largest value of each order. */
export function notionalRejection({ requested, view, limits }: Checked): Rejection | undefined {
  for (const order of requested) {
    const { symbol } = order;
    const instrument = view.instrument(symbol);
    const { quoteCurrency } = instrument;
    const limit = limits.maxNotional.get(quoteCurrency);
    if (limit === undefined) continue;
    const market = freshMarket(symbol, view, limits);
    const price = worstPrice(order, instrument, market, limits.priceCollar);
    // An unknown market never rejects an order that can only close.
    if (price === undefined && isReducing(order)) continue;
    if (price === undefined) return marketUnknown(symbol, 'The largest value of an order');
    const notional = price.times(instrument.size(order.lots));
    if (!notional.greaterThan(limit)) continue;
    return {
      code: 'risk-notional',
      field: 'quantity',
      message: `The order can come to ${brief(notional)} ${quoteCurrency}, more than the ${brief(limit)} that one order may be worth.`,
      limit: brief(limit),
    };
  }
  return undefined;
}
