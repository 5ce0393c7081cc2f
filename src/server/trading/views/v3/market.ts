import type {
  ConvertedCandle,
  MarketCandle,
} from '../../../../exchange/market-data/market-candle.ts';
import type { BookSnapshot, VolumeLevels } from '../../../../exchange/market-data/public-book.ts';
import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import type { SampledCandle } from '../../../../exchange/market-data/sampled-series.ts';
import type { Ticker } from '../../../../exchange/market-data/ticker.ts';
import type { Decimal } from '../../../../model/decimal.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import type * as market from '../../../../wire/trading/v3/records/market.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import { levelTexts, priceText, volumeText } from '../market-numbers.ts';
import { numberTexts } from '../order-numbers.ts';

/** Market data as version 3 shows it over REST. */

export const tickerView = (ticker: Ticker): Writable<typeof market.ticker> => {
  const { instrument } = ticker;
  return {
    ask: priceText(instrument, ticker.ask?.ticks),
    bid: priceText(instrument, ticker.bid?.ticks),
    last: priceText(instrument, ticker.lastTicks),
    low: priceText(instrument, ticker.lowTicks),
    high: priceText(instrument, ticker.highTicks),
    open: priceText(instrument, ticker.openTicks),
    volume: volumeText(instrument, ticker.volume),
    volume_quote: ticker.volumeQuote,
    timestamp: ticker.at,
  };
};

/** The last price with the time of its trade; before the first trade with the present time. */
export const lastPriceView = (
  instrument: Instrument,
  last: PublicTrade | undefined,
  now: Micros,
): Writable<typeof market.lastPrice> => ({
  price: priceText(instrument, last?.ticks),
  timestamp: last?.at ?? now,
});

export const tradeView = (
  instrument: Instrument,
  trade: PublicTrade,
): Writable<typeof market.publicTrade> => {
  const { price, quantity } = numberTexts(instrument);
  return {
    id: trade.id,
    price: price(trade.ticks),
    qty: quantity(trade.lots),
    side: trade.side,
    timestamp: trade.at,
  };
};

/** A book with the time of its latest change; before the first with the present time. */
export const bookView = (
  instrument: Instrument,
  book: BookSnapshot,
  now: Micros,
): Writable<typeof market.orderBook> => {
  const level = levelTexts(instrument);
  return {
    timestamp: book.sequence === 0 ? now : book.at,
    ask: book.asks.map(level),
    bid: book.bids.map(level),
  };
};

/** A book up to a volume, with the average prices of that volume. */
export const volumeBookView = (
  instrument: Instrument,
  { asks, bids }: { readonly asks: VolumeLevels; readonly bids: VolumeLevels },
  at: Micros,
): Writable<typeof market.orderBook> => {
  const level = levelTexts(instrument);
  return {
    timestamp: at,
    ask: asks.levels.map(level),
    bid: bids.levels.map(level),
    ask_average_price: priceText(instrument, asks.averageTicks) ?? undefined,
    bid_average_price: priceText(instrument, bids.averageTicks) ?? undefined,
  };
};

export const candleView = (candle: MarketCandle): Writable<typeof market.candle> => {
  const { instrument } = candle;
  const { price } = numberTexts(instrument);
  return {
    timestamp: candle.openedAt,
    open: price(candle.openTicks),
    close: price(candle.closeTicks),
    min: price(candle.lowTicks),
    max: price(candle.highTicks),
    volume: volumeText(instrument, candle.volume),
    volume_quote: candle.volumeQuote,
  };
};

export const convertedCandleView = (
  instrument: Instrument,
  candle: ConvertedCandle,
): Writable<typeof market.candle> => ({
  timestamp: candle.openedAt,
  open: candle.open,
  close: candle.close,
  min: candle.min,
  max: candle.max,
  volume: volumeText(instrument, candle.volume),
  volume_quote: candle.volumeQuote,
});

/** A candle of a rate, an index and so on, with its own format of values. */
export const sampledCandleView = (
  candle: SampledCandle,
  text: (value: Decimal) => Decimal | string = (value) => value,
): Writable<typeof market.indexCandle> => ({
  timestamp: candle.openedAt,
  open: text(candle.open),
  close: text(candle.close),
  min: text(candle.min),
  max: text(candle.max),
});
