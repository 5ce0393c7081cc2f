import type { Sampled } from '../../../../exchange/market-data/market-data.ts';
import type { TradePage } from '../../../../exchange/market-data/public-trades.ts';
import type { Decimal } from '../../../../model/decimal.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Period } from '../../../../model/period.ts';
import { decoded, type Decoded } from '../../../../wire/trading/faults.ts';
import { atScale } from '../../../../wire/trading/printing.ts';
import type { publicCalls } from '../../../../wire/trading/v3/calls/public.ts';
import {
  isContract,
  namedCurrencies,
  namedCurrency,
  namedSymbol,
  targetCurrency,
} from '../../market/named.ts';
import { timesPage, tradesPage, type Times } from '../../market/pages.ts';
import { volumeLots } from '../../market/volume.ts';
import type { TradingService } from '../../service.ts';
import { finePriceText } from '../../views/market-numbers.ts';
import { currencyView } from '../../views/v3/currency.ts';
import { fundingView, futuresInfoOf } from '../../views/v3/futures-info.ts';
import * as views from '../../views/v3/market.ts';
import { symbolView } from '../../views/v3/symbol.ts';
import { answerFrom, answerWith, type RestHandlers } from '../handler.ts';
import { ofSymbols, type Asked } from '../of-symbols.ts';

type Candles = Times & { readonly period: Period };

const symbols = ofSymbols(3, ({ service, index, instrument }) =>
  symbolView(instrument, service.exchange.statuses.of(index)),
);

const tickers = ofSymbols(3, ({ service, market, index }) =>
  views.tickerView(market.ticker(index, service.now())),
);

const trades = ofSymbols(3, ({ market, index, instrument, params }: Asked<TradePage>) =>
  market.trades(index, params).map((trade) => views.tradeView(instrument, trade)),
);

const books = ofSymbols(
  3,
  ({ service, market, index, instrument, params }: Asked<{ readonly depth: number }>) =>
    views.bookView(instrument, market.books[index].snapshot(params.depth), service.now()),
);

const candles = ofSymbols(3, ({ market, index, params }: Asked<Candles>) =>
  market.candles(index, params.period, timesPage(params)).map(views.candleView),
);

const convertedTo = (currency: string) =>
  ofSymbols(3, ({ market, index, instrument, params }: Asked<Candles>) =>
    market
      .convertedCandles(index, currency, params.period, timesPage(params))
      .map((candle) => views.convertedCandleView(instrument, candle)),
  );

const lastPrices = ofSymbols(3, ({ service, market, index, instrument }) =>
  views.lastPriceView(instrument, market.lastTrade(index), service.now()),
);

const infos = ofSymbols(3, ({ service, index }) => futuresInfoOf(service, index), isContract);

const fundings = ofSymbols(
  3,
  ({ service, index, params }: Asked<Times>) =>
    service.fundings.query(index, timesPage(params)).map(fundingView),
  isContract,
);

/** Candles of a series of a contract, whose values are written in their own way. */
const series = (
  name: Sampled,
  text: (instrument: Instrument, value: Decimal) => Decimal | string,
) =>
  ofSymbols(
    3,
    ({ service, market, index, instrument, params }: Asked<Candles>) =>
      market
        .series(index, name)
        .query(params.period, timesPage(params), service.now())
        .map((candle) => views.sampledCandleView(candle, (value) => text(instrument, value))),
    isContract,
  );

const indexPrices = series('index', finePriceText);
const markPrices = series('mark', finePriceText);
const premiumIndexes = series('premiumIndex', (_, value) => value);
const openInterests = series('openInterest', ({ quantityIncrement }, value) =>
  atScale(value, quantityIncrement),
);

/** Market data of version 3: no key is needed. What is no contract is not found among the futures. */
export const publicHandlers: RestHandlers<typeof publicCalls> = {
  getCurrencies: (service, { params }) =>
    answerWith(namedCurrencies(service, params.currencies), (currencies) =>
      Object.fromEntries(
        currencies.map((one) => [one.code, currencyView(one, params.preferred_network)]),
      ),
    ),
  getCurrency: (service, { path }) =>
    answerWith(namedCurrency(service, path.currency), (currency) => currencyView(currency)),
  getSymbols: symbols.keyed,
  getSymbol: symbols.one,
  getTickers: tickers.keyed,
  getTicker: tickers.one,
  getTrades: (service, { params }) =>
    answerFrom(tradesPage(params), (page) =>
      trades.keyed(service, { params: { ...page, symbols: params.symbols } }),
    ),
  getTradesOfSymbol: (service, { path, params }) =>
    answerFrom(tradesPage(params), (page) => trades.one(service, { path, params: page })),
  getOrderBooks: books.keyed,
  getOrderBook: (service, { path, params }) => {
    const { depth, volume } = params;
    if (volume === undefined) return books.one(service, { path, params: { depth } });
    return answerFrom(namedSymbol(service, 3, path.symbol), (index) => {
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
  getConvertedCandles: (service, { params }) =>
    answerFrom(targetCurrency(service, params.target_currency, 'target_currency'), ({ code }) =>
      answerWith(convertedTo(code).keyed(service, { params }), (data) => ({
        target_currency: code,
        data,
      })),
    ),
  getConvertedCandlesOfSymbol: (service, { path, params }) =>
    answerFrom(targetCurrency(service, params.target_currency, 'target_currency'), ({ code }) =>
      answerWith(convertedTo(code).one(service, { path, params }), (data) => ({
        target_currency: code,
        data,
      })),
    ),
  getPriceRates: (service, { params }) => {
    const market = service.look();
    return answerWith(pairsOf(service, params), ({ from, to }) =>
      Object.fromEntries(
        from.map((currency) => [
          currency,
          { currency: to, price: market.rate(currency, to), timestamp: service.now() },
        ]),
      ),
    );
  },
  getPriceHistory: (service, { params }) => {
    const market = service.look();
    const { since: from, until: till, sort, limit, period } = params;
    const page = timesPage({ from, till, sort, limit });
    return answerWith(pairsOf(service, params), (named) =>
      Object.fromEntries(
        named.from.map((currency) => {
          const history = market.rateHistory(currency, named.to, period, page);
          const written = history.map((candle) => views.sampledCandleView(candle));
          return [currency, { currency: named.to, history: written }];
        }),
      ),
    );
  },
  getLastPrices: lastPrices.keyed,
  getLastPrice: lastPrices.one,
  getFuturesInfos: infos.keyed,
  getFuturesInfo: infos.one,
  getFundings: fundings.keyed,
  getFundingsOfSymbol: fundings.one,
  getIndexPriceCandles: indexPrices.keyed,
  getIndexPriceCandlesOfSymbol: indexPrices.one,
  getMarkPriceCandles: markPrices.keyed,
  getMarkPriceCandlesOfSymbol: markPrices.one,
  getPremiumIndexCandles: premiumIndexes.keyed,
  getPremiumIndexCandlesOfSymbol: premiumIndexes.one,
  getOpenInterestCandles: openInterests.keyed,
  getOpenInterestCandlesOfSymbol: openInterests.one,
};

interface Pairs {
  /** Codes of source currencies. */
  readonly from: readonly string[];
  /** The code of the quote currency. */
  readonly to: string;
}

/** Currencies of which a rate is asked for; where none is named, all but the quote currency. */
const pairsOf = (
  service: TradingService,
  params: { readonly from?: readonly string[] | undefined; readonly to?: string | undefined },
): Decoded<Pairs> =>
  answerFrom(targetCurrency(service, params.to, 'to'), (to) =>
    answerFrom(namedCurrencies(service, params.from, 'from'), (from) => {
      const isAll = params.from === undefined || params.from.length === 0;
      const sources = isAll ? from.filter((one) => one !== to) : from;
      return decoded({ from: sources.map(({ code }) => code), to: to.code });
    }),
  );
