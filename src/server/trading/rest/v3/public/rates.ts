import type { publicCalls } from '../../../../../wire/trading/v3/calls/public.ts';
import type { Currency } from '../../../../../model/currency.ts';
import { decoded, type Decoded } from '../../../../../wire/trading/faults.ts';
import {
  namedCurrencies,
  namedSymbol,
  namedSymbols,
  targetCurrency,
} from '../../../market/named.ts';
import { timesPage } from '../../../market/pages.ts';
import type { TradingService } from '../../../service.ts';
import { lastPriceView, sampledCandleView } from '../../../views/v3/market.ts';
import type { RestHandlers } from '../../handler.ts';
import { bySymbol, ofFound } from '../../keyed.ts';

type Names = 'getPriceRates' | 'getPriceHistory' | 'getLastPrices' | 'getLastPrice';

/** Rates between currencies, and last prices. */
export const rateHandlers: RestHandlers<Pick<typeof publicCalls, Names>> = {
  getPriceRates: (service, { params }) => {
    const pairs = pairsOf(service, params);
    const market = service.look();
    return ofFound(pairs, ({ from, to }) =>
      Object.fromEntries(
        from.map((currency) => [
          currency,
          { currency: to, price: market.rate(currency, to), timestamp: service.now() },
        ]),
      ),
    );
  },
  getPriceHistory: (service, { params }) => {
    const pairs = pairsOf(service, params);
    const market = service.look();
    const { since: from, until: till, sort, limit, period } = params;
    const page = timesPage({ from, till, sort, limit });
    return ofFound(pairs, (named) =>
      Object.fromEntries(
        named.from.map((currency) => {
          const history = market.rateHistory(currency, named.to, period, page);
          const written = history.map((candle) => sampledCandleView(candle));
          return [currency, { currency: named.to, history: written }];
        }),
      ),
    );
  },
  getLastPrices: (service, { params }) => {
    const market = service.look();
    return bySymbol(service, namedSymbols(service, 3, params.symbols), (instrument, index) =>
      lastPriceView(instrument, market.lastTrade(index), service.now()),
    );
  },
  getLastPrice: (service, { path }) => {
    const market = service.look();
    return ofFound(namedSymbol(service, 3, path.symbol), (index) =>
      lastPriceView(service.exchange.instruments[index], market.lastTrade(index), service.now()),
    );
  },
};

interface Pairs {
  /** Codes of source currencies. */
  readonly from: readonly string[];
  /** The code of the quote currency. */
  readonly to: string;
}

/** Currencies with a requested rate; by default all but the quote currency. */
function pairsOf(
  service: TradingService,
  params: { readonly from?: readonly string[] | undefined; readonly to?: string | undefined },
): Decoded<Pairs> {
  const to = targetCurrency(service, params.to, 'to');
  if (to.kind === 'fault') return to;
  const from = namedCurrencies(service, params.from, 'from');
  if (from.kind === 'fault') return from;
  const isAll = params.from === undefined || params.from.length === 0;
  const sources: readonly Currency[] = isAll
    ? from.value.filter((one) => one !== to.value)
    : from.value;
  return decoded({ from: sources.map(({ code }) => code), to: to.value.code });
}
