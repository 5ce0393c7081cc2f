import { unknownSymbol } from '../../../exchange/state/symbols.ts';
import type { Currency } from '../../../model/currency.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import { rejectionFault, type Version } from '../../../wire/trading/rejections.ts';
import type { TradingService } from '../service.ts';

/**
 * The symbols and currencies that public calls and channels name, whose codes the wire has read as
 * capitals. Version 2 has no futures and knows only spot symbols. Unknown members of a list are left out;
 * it is rejected if all are unknown.
 */

type Fits = (instrument: Instrument) => boolean;

/** The symbols that a version has; version 3 has all. */
export const symbolsOf = (version: Version): Fits =>
  version === 2 ? ({ terms }) => terms.type === 'spot' : () => true;

/** Symbols of futures contracts. */
export const isContract: Fits = (instrument) => instrument.isContract;

/** The instrument of a symbol. */
export function namedSymbol(
  { exchange }: TradingService,
  version: Version,
  symbol: string,
  fits: Fits = symbolsOf(version),
): Decoded<number> {
  const index = exchange.instrument(symbol);
  if (index >= 0 && fits(exchange.instruments[index])) return decoded(index);
  const known = exchange.instruments.filter(fits);
  return undecoded(rejectionFault(unknownSymbol(symbol, known), version));
}

/** The instruments of a list of symbols; all suitable ones if it is absent or empty. */
export function namedSymbols(
  service: TradingService,
  version: Version,
  symbols: readonly string[] = [],
  fits: Fits = symbolsOf(version),
): Decoded<readonly number[]> {
  const { instruments } = service.exchange;
  if (symbols.length === 0) {
    return decoded(instruments.flatMap((one, index) => (fits(one) ? [index] : [])));
  }
  return someOf(symbols.map((symbol) => namedSymbol(service, version, symbol, fits)));
}

/** The currency of a code. */
export function namedCurrency(
  { exchange }: TradingService,
  code: string,
  member = 'currency',
): Decoded<Currency> {
  const { currencies } = exchange.wallet;
  const currency = currencies.find((one) => one.code === code);
  if (currency !== undefined) return decoded(currency);
  const known = currencies.map((one) => one.code).join(', ');
  const sentence = `There is no currency ${JSON.stringify(code)} here; there are ${known}.`;
  return undecoded(fault(2002, sentence, member));
}

/** The currencies of a list of codes; all if it is absent or empty. */
export function namedCurrencies(
  service: TradingService,
  codes: readonly string[] = [],
  member = 'currencies',
): Decoded<readonly Currency[]> {
  if (codes.length === 0) return decoded(service.exchange.wallet.currencies);
  return someOf(codes.map((code) => namedCurrency(service, code, member)));
}

/** The found ones, each once; the first fault if there is none. */
function someOf<T>(found: readonly Decoded<T>[]): Decoded<readonly T[]> {
  const known = found.flatMap((one) => (one.kind === 'ok' ? [one.value] : []));
  const [first] = found;
  if (known.length === 0 && first.kind === 'fault') return first;
  return decoded([...new Set(known)]);
}

/**
 * The default currency of prices: USDT if a spot symbol is quoted in it, else the quote currency of the
 * first spot symbol.
 */
export function targetCurrency(
  service: TradingService,
  code: string | undefined,
  member: string,
): Decoded<Currency> {
  if (code !== undefined) return namedCurrency(service, code, member);
  const quotes = service.exchange.instruments
    .filter(({ terms }) => terms.type === 'spot')
    .map(({ quoteCurrency }) => quoteCurrency);
  const quote = quotes.includes('USDT') ? 'USDT' : quotes[0];
  if (quote !== undefined) return namedCurrency(service, quote, member);
  return undecoded(fault(10001, `${member} is required`, member));
}
