import type { publicCalls } from '../../../../wire/trading/v2/calls/public.ts';
import { namedCurrencies, namedCurrency, namedSymbol, namedSymbols } from '../../market/named.ts';
import { timesPage, tradesPage, tradesPageOfTimes } from '../../market/pages.ts';
import { volumeLots } from '../../market/volume.ts';
import * as views from '../../views/v2/market.ts';
import { answer, type RestHandlers } from '../handler.ts';
import { bySymbol, ofFound } from '../keyed.ts';

/** Market data of version 2: no key is needed. */
export const publicHandlers: RestHandlers<typeof publicCalls> = {
  getCurrencies: (service, { params }) =>
    ofFound(namedCurrencies(service, params.currencies), (found) => found.map(views.currencyView)),
  getCurrency: (service, { path }) =>
    ofFound(namedCurrency(service, path.currency), views.currencyView),
  getSymbols: (service, { params }) =>
    ofFound(namedSymbols(service, 2, params.symbols), (found) =>
      found.map((index) => views.symbolView(service.exchange.instruments[index])),
    ),
  getSymbol: (service, { path }) =>
    ofFound(namedSymbol(service, 2, path.symbol), (index) =>
      views.symbolView(service.exchange.instruments[index]),
    ),
  getTickers: (service, { params }) => {
    const market = service.look();
    return ofFound(namedSymbols(service, 2, params.symbols), (found) =>
      found.map((index) => views.tickerView(market.ticker(index, service.now()))),
    );
  },
  getTicker: (service, { path }) => {
    const market = service.look();
    return ofFound(namedSymbol(service, 2, path.symbol), (index) =>
      views.tickerView(market.ticker(index, service.now())),
    );
  },
  getTrades: (service, { params }) => {
    const page = tradesPageOfTimes(params);
    if (page.kind === 'fault') return page;
    const market = service.look();
    return bySymbol(service, namedSymbols(service, 2, params.symbols), (instrument, index) =>
      market.trades(index, page.value).map((trade) => views.tradeView(instrument, trade)),
    );
  },
  getTradesOfSymbol: (service, { path, params }) => {
    const page = tradesPage(params);
    if (page.kind === 'fault') return page;
    const market = service.look();
    return ofFound(namedSymbol(service, 2, path.symbol), (index) => {
      const instrument = service.exchange.instruments[index];
      return market.trades(index, page.value).map((trade) => views.tradeView(instrument, trade));
    });
  },
  getOrderBooks: (service, { params }) => {
    const { books } = service.look();
    return bySymbol(service, namedSymbols(service, 2, params.symbols), (instrument, index) =>
      views.bookView(instrument, books[index].snapshot(params.limit), service.now()),
    );
  },
  getOrderBook: (service, { path, params }) => {
    const found = namedSymbol(service, 2, path.symbol);
    if (found.kind === 'fault') return found;
    const book = service.look().books[found.value];
    const instrument = service.exchange.instruments[found.value];
    const now = service.now();
    if (params.volume === undefined) {
      return answer(views.bookView(instrument, book.snapshot(params.limit), now));
    }
    return ofFound(volumeLots(instrument, params.volume), (lots) =>
      views.volumeBookView(instrument, book.forVolume(lots), book.snapshot(1).at || now),
    );
  },
  getCandles: (service, { params }) => {
    const market = service.look();
    return bySymbol(service, namedSymbols(service, 2, params.symbols), (_, index) =>
      market.candles(index, params.period, timesPage(params)).map(views.candleView),
    );
  },
  getCandlesOfSymbol: (service, { path, params }) => {
    const market = service.look();
    return ofFound(namedSymbol(service, 2, path.symbol), (index) =>
      market.candles(index, params.period, timesPage(params)).map(views.candleView),
    );
  },
};
