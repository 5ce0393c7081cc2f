import { z } from 'zod';
import { PERIODS } from '../../../../model/period.ts';
import { choice, code, optional, withDefault, text, time, whole } from '../../fields.ts';
import { limit, offset, paged, sort } from '../../paging.ts';
import { method } from '../../rpc.ts';
import * as market from '../records/market.ts';

const access = 'public';
const done = z.literal(true);
const ofSymbol = z.object({ symbol: code });
const candlesOfSymbol = ofSymbol.extend({ period: withDefault(choice(PERIODS), 'M30') });
const withHistory = { limit: optional(whole({ max: 1_000 })) } as const;

const trades = z.object({ data: z.array(market.publicTrade), symbol: text });
const candles = z.object({
  data: z.array(market.candle),
  symbol: text,
  period: choice(PERIODS),
});

/** Levels of a book; `sequence` counts its changes. A size of 0 deletes a level. */
export const streamBook = z.object({
  ask: z.array(market.level),
  bid: z.array(market.level),
  symbol: text,
  sequence: whole(),
  timestamp: optional(time),
});

/** Every method of the market data socket of version 2. */
export const MARKET_METHODS = {
  getCurrency: method({
    access,
    summary: 'One currency',
    params: z.object({ currency: code }),
    result: market.currency,
  }),
  getCurrencies: method({ access, summary: 'Currencies', result: z.array(market.currency) }),
  getSymbol: method({ access, summary: 'One symbol', params: ofSymbol, result: market.symbol }),
  getSymbols: method({ access, summary: 'Symbols', result: z.array(market.symbol) }),
  getTrades: method({
    access,
    summary: 'Public trades of a symbol',
    params: paged(['timestamp', 'id'], 'id', {
      symbol: code,
      sort: sort('DESC'),
      limit: limit(100, 0),
      offset,
    }),
    result: trades,
  }),
  subscribeTicker: method({ access, summary: 'Follow a ticker', params: ofSymbol, result: done }),
  unsubscribeTicker: method({ access, summary: 'Stop', params: ofSymbol, result: done }),
  subscribeOrderbook: method({ access, summary: 'Follow a book', params: ofSymbol, result: done }),
  unsubscribeOrderbook: method({ access, summary: 'Stop', params: ofSymbol, result: done }),
  subscribeTrades: method({
    access,
    summary: 'Follow trades',
    params: ofSymbol.extend(withHistory),
    result: done,
  }),
  unsubscribeTrades: method({ access, summary: 'Stop', params: ofSymbol, result: done }),
  subscribeCandles: method({
    access,
    summary: 'Follow candles',
    params: candlesOfSymbol.extend(withHistory),
    result: done,
  }),
  unsubscribeCandles: method({ access, summary: 'Stop', params: candlesOfSymbol, result: done }),
} as const;

/** Notifications of the market data socket of version 2, by method. */
export const MARKET_NOTIFICATIONS = {
  ticker: market.ticker,
  snapshotOrderbook: streamBook,
  updateOrderbook: streamBook,
  snapshotTrades: trades,
  updateTrades: trades,
  snapshotCandles: candles,
  updateCandles: candles,
} as const;
