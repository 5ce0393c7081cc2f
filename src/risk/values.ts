import { ZERO, type Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import { accountEquity } from './margin/risk-position.ts';
import type { MarginView } from './view.ts';

/**
 * Value of the holdings, by the quote currencies of the instruments: the quote currency itself and
 * each base currency, once, at the valuation price of the first instrument that trades it, and the
 * equity of the accounts of `margin`. A currency is absent while a price that it needs is missing.
 */
export function valuesOf(
  instruments: readonly Instrument[],
  holding: (currency: string) => Decimal,
  priceOf: (symbol: string) => Decimal | undefined,
  margin?: MarginView,
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
  for (const [currency, equity] of marginEquities(instruments, margin)) {
    const sum = sums.get(currency);
    if (equity === undefined) unpriced.add(currency);
    else if (sum !== undefined) sums.set(currency, sum.plus(equity));
  }
  for (const currency of unpriced) sums.delete(currency);
  return sums;
}

/** Equity of margin accounts, by currency; `undefined` if a mark price is unknown. */
function marginEquities(
  instruments: readonly Instrument[],
  margin: MarginView | undefined,
): ReadonlyMap<string, Decimal | undefined> {
  const equities = new Map<string, Decimal | undefined>();
  if (margin === undefined || margin.accounts.length === 0) return equities;
  const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  for (const account of margin.accounts) {
    const { currency } = account;
    const before = equities.has(currency) ? equities.get(currency) : ZERO;
    const equity = accountEquity(
      account,
      margin,
      (symbol) => bySymbol.get(symbol) ?? margin.instrument?.(symbol),
    );
    equities.set(currency, equity && before?.plus(equity));
  }
  return equities;
}
