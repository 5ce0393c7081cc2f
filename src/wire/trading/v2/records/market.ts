import { z } from 'zod';
import { flag, numeric, optional, record, text, whole } from '../../fields.ts';
import * as v3 from '../../v3/records/market.ts';
import { inVersion2 } from '../names.ts';

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

/** The last 24 hours; null if nothing is known. */
export const ticker = record('TickerV2', { ...inVersion2(v3.ticker.shape), symbol: text });

/** The names of a public trade that are not those of version 3. */
export const TRADE_NAMES = { qty: 'quantity' } as const;

/** A trade of the public tape; `side` is that of the taker. */
export const publicTrade = record('PublicTradeV2', inVersion2(v3.publicTrade.shape, TRADE_NAMES));

export const level = z.object({ price: numeric, size: numeric });

/** Asks ascending, bids descending. The averages are present if a volume was requested. */
export const orderBook = record('OrderBookV2', {
  symbol: optional(text),
  ...inVersion2(v3.orderBook.shape),
  ask: z.array(level),
  bid: z.array(level),
});

export const candle = record('CandleV2', inVersion2(v3.candle.shape));
