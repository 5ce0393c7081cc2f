import type { Page } from '../../../../../exchange/market-data/page.ts';
import type { Period } from '../../../../../model/period.ts';
import type { publicCalls } from '../../../../../wire/trading/v3/calls/public.ts';
import {
  namedCurrencies,
  namedCurrency,
  namedSymbol,
  namedSymbols,
  targetCurrency,
} from '../../../market/named.ts';
import { timesPage, tradesPage } from '../../../market/pages.ts';
import { volumeLots } from '../../../market/volume.ts';
import type { TradingService } from '../../../service.ts';
import { currencyView } from '../../../views/v3/currency.ts';
import * as views from '../../../views/v3/market.ts';
import { symbolView } from '../../../views/v3/symbol.ts';
import { answer, type RestHandlers } from '../../handler.ts';
import { bySymbol, ofFound } from '../../keyed.ts';

type Names =
  | 'getCurrencies'
  | 'getCurrency'
  | 'getSymbols'
  | 'getSymbol'
  | 'getTickers'
  | 'getTicker'
  | 'getTrades'
  | 'getTradesOfSymbol'
  | 'getOrderBooks'
  | 'getOrderBook'
  | 'getCandles'
  | 'getCandlesOfSymbol'
  | 'getConvertedCandles'
  | 'getConvertedCandlesOfSymbol';

/** Market data of symbols: their terms, and their trades and books. */
export const marketHandlers: RestHandlers<Pick<typeof publicCalls, Names>> = {
  getCurrencies: (service, { params }) =>
    ofFound(namedCurrencies(service, params.currencies), (currencies) =>
      Object.fromEntries(
        currencies.map((one) => [one.code, currencyView(one, params.preferred_network)]),
      ),
    ),
  getCurrency: (service, { path }) =>
    ofFound(namedCurrency(service, path.currency), (currency) => currencyView(currency)),
  getSymbols: (service, { params }) =>
    bySymbol(service, namedSymbols(service, 3, params.symbols), (instrument, index) =>
      symbolView(instrument, service.exchange.statuses.of(index)),
    ),
  getSymbol: (service, { path }) =>
    ofFound(namedSymbol(service, 3, path.symbol), (index) =>
      symbolView(service.exchange.instruments[index], service.exchange.statuses.of(index)),
    ),
  getTickers: (service, { params }) => {
    const market = service.look();
    return bySymbol(service, namedSymbols(service, 3, params.symbols), (_, index) =>
      views.tickerView(market.ticker(index, service.now())),
    );
  },
  getTicker: (service, { path }) => {
    const market = service.look();
    return ofFound(namedSymbol(service, 3, path.symbol), (index) =>
      views.tickerView(market.ticker(index, service.now())),
    );
  },
  getTrades: (service, { params }) => {
    const page = tradesPage(params);
    if (page.kind === 'fault') return page;
    const market = service.look();
    return bySymbol(service, namedSymbols(service, 3, params.symbols), (instrument, index) =>
      market.trades(index, page.value).map((trade) => views.tradeView(instrument, trade)),
    );
  },
  getTradesOfSymbol: (service, { path, params }) => {
    const page = tradesPage(params);
    if (page.kind === 'fault') return page;
    const market = service.look();
    return ofFound(namedSymbol(service, 3, path.symbol), (index) => {
      const instrument = service.exchange.instruments[index];
      return market.trades(index, page.value).map((trade) => views.tradeView(instrument, trade));
    });
  },
  getOrderBooks: (service, { params }) => {
    const { books } = service.look();
    return bySymbol(service, namedSymbols(service, 3, params.symbols), (instrument, index) =>
      views.bookView(instrument, books[index].snapshot(params.depth), service.now()),
    );
  },
  getOrderBook: (service, { path, params }) => {
    const found = namedSymbol(service, 3, path.symbol);
    if (found.kind === 'fault') return found;
    const book = service.look().books[found.value];
    const instrument = service.exchange.instruments[found.value];
    const now = service.now();
    if (params.volume === undefined) {
      return answer(views.bookView(instrument, book.snapshot(params.depth), now));
    }
    return ofFound(volumeLots(instrument, params.volume), (lots) =>
      views.volumeBookView(instrument, book.forVolume(lots), book.snapshot(1).at || now),
    );
  },
  getCandles: (service, { params }) => {
    const market = service.look();
    return bySymbol(service, namedSymbols(service, 3, params.symbols), (_, index) =>
      market.candles(index, params.period, timesPage(params)).map(views.candleView),
    );
  },
  getCandlesOfSymbol: (service, { path, params }) => {
    const market = service.look();
    return ofFound(namedSymbol(service, 3, path.symbol), (index) =>
      market.candles(index, params.period, timesPage(params)).map(views.candleView),
    );
  },
  getConvertedCandles: (service, { params }) => {
    const target = targetCurrency(service, params.target_currency, 'target_currency');
    if (target.kind === 'fault') return target;
    const { code } = target.value;
    const candles = bySymbol(service, namedSymbols(service, 3, params.symbols), (_, index) =>
      convertedOf(service, index, code, params.period, timesPage(params)),
    );
    return ofFound(candles, (data) => ({ target_currency: code, data }));
  },
  getConvertedCandlesOfSymbol: (service, { path, params }) => {
    const target = targetCurrency(service, params.target_currency, 'target_currency');
    if (target.kind === 'fault') return target;
    const { code } = target.value;
    return ofFound(namedSymbol(service, 3, path.symbol), (index) => ({
      target_currency: code,
      data: convertedOf(service, index, code, params.period, timesPage(params)),
    }));
  },
};

const convertedOf = (
  service: TradingService,
  index: number,
  currency: string,
  period: Period,
  page: Page,
) =>
  service
    .look()
    .convertedCandles(index, currency, period, page)
    .map((candle) => views.convertedCandleView(service.exchange.instruments[index], candle));
