import type { Amount } from '../../model/amount.ts';
import { priceAmount } from '../../model/prices.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import type { Holdings } from './holdings.ts';

/**
 * Value of all holdings in a currency: its own amount, and that of every currency with an
 * instrument against it, at the valuation price. Currencies without an instrument count nothing.
 * `undefined` while a holding has no price.
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
