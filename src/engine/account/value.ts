import type { Amount } from '../../model/amount.ts';
import { priceAmount } from '../../model/prices.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import type { Holdings } from './holdings.ts';

/**
 * Value of all holdings in a currency: what is held of it, and of every currency that an
 * instrument trades against it, at the price by which that is valued. What no instrument leads from counts
 * nothing. `undefined` while something is held whose price is not known yet.
 */
export function valueIn(
  currency: string,
  holdings: Holdings,
  markets: readonly InstrumentMarket[],
): Amount | undefined {
  let sum = holdings.total(currency);
  for (const held of holdings.currencies()) {
    const total = holdings.total(held);
    if (held === currency || total.isZero) continue;
    const market = markets.find(
      ({ instrument }) => instrument.baseCurrency === held && instrument.quoteCurrency === currency,
    );
    if (market === undefined) continue;
    const price = priceAmount(market.instrument, market.prices.valuation);
    if (price === undefined) return undefined;
    sum = sum.plus(total.times(price));
  }
  return sum;
}
