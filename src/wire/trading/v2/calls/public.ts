import { z } from 'zod';
import { get } from '../../call.ts';
import { codes, optional, withDefault, unsigned, whole } from '../../fields.ts';
import { paged, limit, OFFSET_MAX, offset, period, sort, timeBounds } from '../../paging.ts';
import * as market from '../records/market.ts';

const access = 'public';

/** Symbols in any letter case; absent or empty means all. */
const symbols = optional(codes);
const ofSymbols = z.object({ symbols });
const keyed = <S extends z.ZodType>(schema: S) => z.record(z.string(), schema);

const depth = withDefault(whole({ max: OFFSET_MAX }), 100);

const candleMembers = {
  period,
  sort: sort('ASC'),
  ...timeBounds,
  limit: limit(100, 0),
  offset,
} as const;

/** Market data: no key is needed. */
export const publicCalls = {
  getCurrencies: get('/public/currency', {
    access,
    summary: 'Currencies',
    params: z.object({ currencies: optional(codes) }),
    response: z.array(market.currency),
  }),
  getCurrency: get('/public/currency/{currency}', {
    access,
    summary: 'One currency',
    response: market.currency,
  }),
  getSymbols: get('/public/symbol', {
    access,
    summary: 'Symbols',
    params: ofSymbols,
    response: z.array(market.symbol),
  }),
  getSymbol: get('/public/symbol/{symbol}', {
    access,
    summary: 'One symbol',
    response: market.symbol,
  }),
  getTickers: get('/public/ticker', {
    access,
    summary: 'The last 24 hours of each symbol',
    params: ofSymbols,
    response: z.array(market.ticker),
  }),
  getTicker: get('/public/ticker/{symbol}', {
    access,
    summary: 'The last 24 hours of a symbol',
    response: market.ticker,
  }),
  getTrades: get('/public/trades', {
    access,
    summary: 'Public trades of each symbol',
    params: z.object({
      symbols,
      sort: sort('DESC'),
      ...timeBounds,
      limit: limit(100, 0),
      offset,
    }),
    response: keyed(z.array(market.publicTrade)),
  }),
  getTradesOfSymbol: get('/public/trades/{symbol}', {
    access,
    summary: 'Public trades of a symbol',
    params: paged(['timestamp', 'id'], 'timestamp', {
      sort: sort('DESC'),
      limit: limit(100, 0),
      offset,
    }),
    response: z.array(market.publicTrade),
  }),
  getOrderBooks: get('/public/orderbook', {
    access,
    summary: 'The order book of each symbol',
    params: z.object({ symbols, limit: depth }),
    response: keyed(market.orderBook),
  }),
  getOrderBook: get('/public/orderbook/{symbol}', {
    access,
    summary: 'The order book of a symbol, to a depth or until a volume is there',
    params: z.object({ limit: depth, volume: optional(unsigned) }),
    response: market.orderBook,
  }),
  getCandles: get('/public/candles', {
    access,
    summary: 'Candles of each symbol',
    params: z.object({ symbols, ...candleMembers }),
    response: keyed(z.array(market.candle)),
  }),
  getCandlesOfSymbol: get('/public/candles/{symbol}', {
    access,
    summary: 'Candles of a symbol',
    params: z.object(candleMembers),
    response: z.array(market.candle),
  }),
} as const;
