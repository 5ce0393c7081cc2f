import type { TradePage } from '../../../../exchange/market-data/public-trades.ts';
import type { Period } from '../../../../model/period.ts';
import type { publicCalls } from '../../../../wire/trading/v2/calls/public.ts';
import { namedCurrencies, namedCurrency, namedSymbol } from '../../market/named.ts';
import { timesPage, tradesPage, tradesPageOfTimes, type Times } from '../../market/pages.ts';
import { volumeLots } from '../../market/volume.ts';
import * as views from '../../views/v2/market.ts';
import { answerFrom, answerWith, type RestHandlers } from '../handler.ts';
import { ofSymbols, type Asked } from '../of-symbols.ts';

const symbols = ofSymbols(2, ({ instrument }) => views.symbolView(instrument));

const tickers = ofSymbols(2, ({ service, market, index }) =>
  views.tickerView(market.ticker(index, service.now())),
);

const trades = ofSymbols(2, ({ market, index, instrument, params }: Asked<TradePage>) =>
  market.trades(index, params).map((trade) => views.tradeView(instrument, trade)),
);

const books = ofSymbols(
  2,
  ({ service, market, index, instrument, params }: Asked<{ readonly limit: number }>) =>
    views.bookView(instrument, market.books[index].snapshot(params.limit), service.now()),
);

const candles = ofSymbols(
  2,
  ({ market, index, params }: Asked<Times & { readonly period: Period }>) =>
    market.candles(index, params.period, timesPage(params)).map(views.candleView),
);

/** Market data of version 2: no key is needed. */
export const publicHandlers: RestHandlers<typeof publicCalls> = {
  getCurrencies: (service, { params }) =>
    answerWith(namedCurrencies(service, params.currencies), (found) =>
      found.map(views.currencyView),
    ),
  getCurrency: (service, { path }) =>
    answerWith(namedCurrency(service, path.currency), views.currencyView),
  getSymbols: symbols.listed,
  getSymbol: symbols.one,
  getTickers: tickers.listed,
  getTicker: tickers.one,
  getTrades: (service, { params }) =>
    answerFrom(tradesPageOfTimes(params), (page) =>
      trades.keyed(service, { params: { ...page, symbols: params.symbols } }),
    ),
  getTradesOfSymbol: (service, { path, params }) =>
    answerFrom(tradesPage(params), (page) => trades.one(service, { path, params: page })),
  getOrderBooks: books.keyed,
  getOrderBook: (service, { path, params }) => {
    const { limit, volume } = params;
    if (volume === undefined) return books.one(service, { path, params: { limit } });
    return answerFrom(namedSymbol(service, 2, path.symbol), (index) => {
      const book = service.look().books[index];
      const instrument = service.exchange.instruments[index];
      return answerWith(volumeLots(instrument, volume), (lots) =>
        views.volumeBookView(
          instrument,
          book.forVolume(lots),
          book.snapshot(1).at || service.now(),
        ),
      );
    });
  },
  getCandles: candles.keyed,
  getCandlesOfSymbol: candles.one,
};
