import { z } from 'zod';
import { choice, flag, id, numeric, optional, record, text, time, whole } from '../../fields.ts';

export const currency = record('CurrencyV2', {
  id: text,
  fullName: text,
  crypto: flag,
  payinEnabled: flag,
  payinPaymentId: flag,
  payinConfirmations: whole(),
  payoutEnabled: flag,
  payoutIsPaymentId: flag,
  transferEnabled: flag,
  delisted: flag,
  payoutFee: optional(numeric),
  payoutMinimalAmount: optional(numeric),
  /** Decimal places. */
  precisionPayout: whole(),
  precisionTransfer: whole(),
  /** Seconds that a withdrawal takes. */
  lowProcessingTime: optional(numeric),
  highProcessingTime: optional(numeric),
  avgProcessingTime: optional(numeric),
});

export const symbol = record('SymbolV2', {
  id: text,
  baseCurrency: text,
  quoteCurrency: text,
  quantityIncrement: numeric,
  tickSize: numeric,
  takeLiquidityRate: numeric,
  provideLiquidityRate: numeric,
  feeCurrency: text,
  marginTrading: optional(flag),
  maxInitialLeverage: optional(numeric),
});

/** The last 24 hours; null where nothing is known. */
export const ticker = record('TickerV2', {
  ask: numeric.nullable(),
  bid: numeric.nullable(),
  last: numeric.nullable(),
  open: numeric.nullable(),
  low: numeric.nullish(),
  high: numeric.nullish(),
  volume: numeric,
  volumeQuote: numeric,
  timestamp: time,
  symbol: text,
});

/** A trade of the public tape; `side` is that of the taker. */
export const publicTrade = record('PublicTradeV2', {
  id,
  price: numeric,
  quantity: numeric,
  side: choice(['sell', 'buy']),
  timestamp: time,
});

export const level = z.object({ price: numeric, size: numeric });

/** Asks ascending, bids descending. The averages are told where a volume was asked for. */
export const orderBook = record('OrderBookV2', {
  symbol: optional(text),
  ask: z.array(level),
  bid: z.array(level),
  timestamp: time,
  askAveragePrice: optional(numeric),
  bidAveragePrice: optional(numeric),
});

export const candle = record('CandleV2', {
  timestamp: time,
  open: numeric,
  close: numeric,
  min: numeric,
  max: numeric,
  volume: numeric,
  volumeQuote: numeric,
});
