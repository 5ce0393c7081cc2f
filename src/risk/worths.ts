import { ZERO, type Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';

/**
 * The worth of what is held, by the quote currencies of the instruments: the quote currency itself
 * and each base currency, once, at the valuation price of the first instrument that trades it. A
 * currency is left out while a price is missing that it needs.
 */
export function worths(
  instruments: readonly Instrument[],
  holding: (currency: string) => Decimal,
  priceOf: (symbol: string) => Decimal | undefined,
): ReadonlyMap<string, Decimal> {
  const sums = new Map<string, Decimal>();
  const counted = new Set<string>();
  const unpriced = new Set<string>();
  for (const { symbol, baseCurrency, quoteCurrency } of instruments) {
    const before = sums.get(quoteCurrency) ?? holding(quoteCurrency);
    const held = counted.has(baseCurrency) ? ZERO : holding(baseCurrency);
    counted.add(baseCurrency);
    const price = held.isZero() ? ZERO : priceOf(symbol);
    if (price === undefined) unpriced.add(quoteCurrency);
    else sums.set(quoteCurrency, before.plus(held.times(price)));
  }
  for (const currency of unpriced) sums.delete(currency);
  return sums;
}
