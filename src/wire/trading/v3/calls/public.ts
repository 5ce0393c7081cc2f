import { z } from 'zod';
import { get } from '../../call.ts';
import { code, codes, optional, text, unsigned, whole } from '../../fields.ts';
import {
  paged,
  limit,
  OFFSET_MAX,
  offset,
  period,
  sort,
  symbols,
  timeBounds,
} from '../../paging.ts';
import { withDefault, time } from '../../fields.ts';
import { currency } from '../records/currency.ts';
import * as market from '../records/market.ts';
import { symbol } from '../records/symbol.ts';

const access = 'public';

const keyed = <S extends z.ZodType>(schema: S) => z.record(z.string(), schema);

const ofSymbols = z.object({ symbols });

const tradeMembers = { sort: sort('DESC'), limit: limit(10) } as const;
const TRADE_KEYS = ['id', 'timestamp'] as const;

const candleMembers = { period, sort: sort('DESC'), ...timeBounds } as const;
const candlesOfSymbols = z.object({ symbols, ...candleMembers, limit: limit(10) });
const candlesOfSymbol = z.object({ ...candleMembers, limit: limit(100), offset });

/** The most levels of a book that can be requested; 0 means all. */
const depth = withDefault(whole({ max: OFFSET_MAX }), 100);

const targetCurrency = { target_currency: code } as const;

const markets = {
  getCurrencies: get('/public/currency', {
    access,
    summary: 'Currencies by their codes',
    params: z.object({ currencies: optional(codes), preferred_network: optional(text) }),
    response: keyed(currency),
  }),
  getCurrency: get('/public/currency/{currency}', {
    access,
    summary: 'One currency',
    response: currency,
  }),
  getSymbols: get('/public/symbol', {
    access,
    summary: 'Symbols by their codes',
    params: ofSymbols,
    response: keyed(symbol),
  }),
  getSymbol: get('/public/symbol/{symbol}', { access, summary: 'One symbol', response: symbol }),
  getTickers: get('/public/ticker', {
    access,
    summary: 'The last 24 hours of each symbol',
    params: ofSymbols,
    response: keyed(market.ticker),
  }),
  getTicker: get('/public/ticker/{symbol}', {
    access,
    summary: 'The last 24 hours of a symbol',
    response: market.ticker,
  }),
  getTrades: get('/public/trades', {
    access,
    summary: 'Public trades of each symbol',
    params: paged(TRADE_KEYS, 'timestamp', { symbols, ...tradeMembers }),
    response: keyed(z.array(market.publicTrade)),
  }),
  getTradesOfSymbol: get('/public/trades/{symbol}', {
    access,
    summary: 'Public trades of a symbol',
    params: paged(TRADE_KEYS, 'timestamp', { ...tradeMembers, offset }),
    response: z.array(market.publicTrade),
  }),
  getOrderBooks: get('/public/orderbook', {
    access,
    summary: 'The order book of each symbol',
    params: z.object({ symbols, depth }),
    response: keyed(market.orderBook),
  }),
  getOrderBook: get('/public/orderbook/{symbol}', {
    access,
    summary: 'The order book of a symbol, to a depth or until a volume is there',
    params: z.object({ depth, volume: optional(unsigned) }),
    response: market.orderBook,
  }),
  getCandles: get('/public/candles', {
    access,
    summary: 'Candles of each symbol',
    params: candlesOfSymbols,
    response: keyed(z.array(market.candle)),
  }),
  getCandlesOfSymbol: get('/public/candles/{symbol}', {
    access,
    summary: 'Candles of a symbol',
    params: candlesOfSymbol,
    response: z.array(market.candle),
  }),
  getConvertedCandles: get('/public/converted/candles', {
    access,
    summary: 'Candles of each symbol in another currency',
    params: candlesOfSymbols.extend(targetCurrency),
    response: market.convertedCandles,
  }),
  getConvertedCandlesOfSymbol: get('/public/converted/candles/{symbol}', {
    access,
    summary: 'Candles of a symbol in another currency',
    params: candlesOfSymbol.extend(targetCurrency),
    response: market.convertedCandlesOfSymbol,
  }),
} as const;

const rates = {
  getPriceRates: get('/public/price/rate', {
    access,
    summary: 'The rate of each currency in another: the mean of best bid and best ask',
    params: z.object({ from: optional(codes), to: optional(code) }),
    response: keyed(market.priceRate),
  }),
  getPriceHistory: get('/public/price/history', {
    access,
    summary: 'How rates went',
    params: z.object({
      from: optional(codes),
      to: optional(code),
      since: optional(time),
      until: optional(time),
      limit: limit(1),
      period,
      sort: sort('DESC'),
    }),
    response: keyed(market.priceHistory),
  }),
  getLastPrices: get('/public/price/ticker', {
    access,
    summary: 'The last price of each symbol',
    params: ofSymbols,
    response: keyed(market.lastPrice),
  }),
  getLastPrice: get('/public/price/ticker/{symbol}', {
    access,
    summary: 'The last price of a symbol',
    response: market.lastPrice,
  }),
} as const;

/** The two calls of a series of futures: of many contracts, and of one. */
const series = <const Path extends string>(path: Path, of: string) =>
  [
    get(path, {
      access,
      summary: `Candles of the ${of} of each contract`,
      params: candlesOfSymbols,
      response: keyed(z.array(market.indexCandle)),
    }),
    get(`${path}/{symbol}`, {
      access,
      summary: `Candles of the ${of} of a contract`,
      params: candlesOfSymbol,
      response: z.array(market.indexCandle),
    }),
  ] as const;

const [getIndexPriceCandles, getIndexPriceCandlesOfSymbol] = series(
  '/public/futures/candles/index_price',
  'index price',
);
const [getMarkPriceCandles, getMarkPriceCandlesOfSymbol] = series(
  '/public/futures/candles/mark_price',
  'mark price',
);
const [getPremiumIndexCandles, getPremiumIndexCandlesOfSymbol] = series(
  '/public/futures/candles/premium_index',
  'premium index',
);
const [getOpenInterestCandles, getOpenInterestCandlesOfSymbol] = series(
  '/public/futures/candles/open_interest',
  'open interest',
);

const fundingMembers = { sort: sort('DESC'), ...timeBounds, limit: limit(100), offset } as const;

const futures = {
  getFuturesInfos: get('/public/futures/info', {
    access,
    summary: 'Where each contract stands',
    params: ofSymbols,
    response: keyed(market.futuresInfo),
  }),
  getFuturesInfo: get('/public/futures/info/{symbol}', {
    access,
    summary: 'Where a contract stands',
    response: market.futuresInfo,
  }),
  getFundings: get('/public/futures/history/funding', {
    access,
    summary: 'Past fundings of each contract',
    params: z.object({ symbols, ...fundingMembers }),
    response: keyed(z.array(market.funding)),
  }),
  getFundingsOfSymbol: get('/public/futures/history/funding/{symbol}', {
    access,
    summary: 'Past fundings of a contract',
    params: z.object(fundingMembers),
    response: z.array(market.funding),
  }),
  getIndexPriceCandles,
  getIndexPriceCandlesOfSymbol,
  getMarkPriceCandles,
  getMarkPriceCandlesOfSymbol,
  getPremiumIndexCandles,
  getPremiumIndexCandlesOfSymbol,
  getOpenInterestCandles,
  getOpenInterestCandlesOfSymbol,
} as const;

/** Market data: no key is needed. */
export const publicCalls = { ...markets, ...rates, ...futures } as const;
