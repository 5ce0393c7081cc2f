import { z } from 'zod';
import { choice, id, numeric, optional, record, text, time } from '../../fields.ts';

/** The last 24 hours of a symbol; null if nothing is known. */
export const ticker = record('Ticker', {
  ask: numeric.nullable(),
  bid: numeric.nullable(),
  last: numeric.nullable(),
  low: numeric.nullish(),
  high: numeric.nullish(),
  open: numeric.nullable(),
  volume: numeric,
  volume_quote: numeric,
  timestamp: time,
});

/** The rate between two currencies: the mean of best bid and best ask. */
export const priceRate = record('PriceRate', {
  currency: text,
  price: optional(numeric),
  timestamp: time,
});

/** Of a period the first, last, lowest and highest value. */
const span = { timestamp: time, open: numeric, close: numeric, min: numeric, max: numeric };

/** A candle without volumes: of a rate, an index or an interest. */
export const indexCandle = record('IndexCandle', span);

export const candle = record('Candle', { ...span, volume: numeric, volume_quote: numeric });

export const priceHistory = record('PriceHistory', {
  currency: text,
  history: z.array(indexCandle),
});

/** Null before the first trade. */
export const lastPrice = record('LastPrice', { price: numeric.nullable(), timestamp: time });

/** A trade of the public tape; `side` is that of the taker. */
export const publicTrade = record('PublicTrade', {
  id,
  price: numeric,
  qty: numeric,
  side: choice(['sell', 'buy']),
  timestamp: time,
});

/** Price and quantity of a level. */
export const level = z.tuple([numeric, numeric]);

/** Asks ascending, bids descending. The averages are present if a volume was requested. */
export const orderBook = record('OrderBook', {
  timestamp: time,
  ask: z.array(level),
  bid: z.array(level),
  ask_average_price: optional(numeric),
  bid_average_price: optional(numeric),
});

/** Candles of symbols in another currency. */
export const convertedCandles = record('ConvertedCandles', {
  target_currency: text,
  data: z.record(z.string(), z.array(candle)),
});

/** Candles of one symbol in another currency. */
export const convertedCandlesOfSymbol = record('ConvertedCandlesOfSymbol', {
  target_currency: text,
  data: z.array(candle),
});

/** State of a contract between two fundings; prices are null before the first is known. */
export const futuresInfo = record('FuturesInfo', {
  contract_type: choice(['perpetual', 'cash_settled']),
  mark_price: numeric.nullable(),
  index_price: numeric.nullable(),
  funding_rate: optional(numeric),
  open_interest: numeric,
  next_funding_time: optional(time),
  indicative_funding_rate: optional(numeric),
  premium_index: optional(numeric),
  avg_premium_index: optional(numeric),
  interest_rate: optional(numeric),
  timestamp: time,
});

export const funding = record('Funding', {
  timestamp: time,
  funding_rate: numeric,
  avg_premium_index: optional(numeric),
  next_funding_time: optional(time),
  interest_rate: optional(numeric),
});
