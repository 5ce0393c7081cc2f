import type { BookUpdate } from '../../../../exchange/market-data/book-log.ts';
import type {
  ConvertedCandle,
  MarketCandle,
} from '../../../../exchange/market-data/market-candle.ts';
import type { TopOfBook } from '../../../../exchange/market-data/public-book.ts';
import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import type { Ticker } from '../../../../exchange/market-data/ticker.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import type { Payload } from '../../../../wire/trading/v3/streams/market.ts';
import type { Feed } from '../../../../wire/trading/v3/streams/channels.ts';
import type { Printable } from '../../../../wire/trading/decoding.ts';
import { levelTexts, priceText, volumeText } from '../market-numbers.ts';
import { numberTexts } from '../order-numbers.ts';

/** Market data with the short names of version 3's socket. */

type Record<F extends Feed> = Printable<Payload<F>>;

export const streamTrade = (
  instrument: Instrument,
  trade: PublicTrade,
): Record<'trades'>[number] => {
  const { price, quantity } = numberTexts(instrument);
  return {
    t: trade.at,
    i: trade.id,
    p: price(trade.ticks),
    q: quantity(trade.lots),
    s: trade.side,
  };
};

export const streamCandle = (candle: MarketCandle): Record<'candles'>[number] => {
  const { instrument } = candle;
  const { price } = numberTexts(instrument);
  return {
    t: candle.openedAt,
    o: price(candle.openTicks),
    c: price(candle.closeTicks),
    h: price(candle.highTicks),
    l: price(candle.lowTicks),
    v: volumeText(instrument, candle.volume),
    q: candle.volumeQuote,
  };
};

export const streamConvertedCandle = (
  instrument: Instrument,
  candle: ConvertedCandle,
): Record<'converted-candles'>[number] => ({
  t: candle.openedAt,
  o: candle.open,
  c: candle.close,
  h: candle.max,
  l: candle.min,
  v: volumeText(instrument, candle.volume),
  q: candle.volumeQuote,
});

export const streamMiniTicker = (ticker: Ticker): Record<'mini-ticker'> => {
  const { instrument } = ticker;
  return {
    t: ticker.at,
    o: priceText(instrument, ticker.openTicks),
    c: priceText(instrument, ticker.lastTicks),
    h: priceText(instrument, ticker.highTicks),
    l: priceText(instrument, ticker.lowTicks),
    v: volumeText(instrument, ticker.volume),
    q: ticker.volumeQuote,
  };
};

export const streamTicker = (ticker: Ticker): Record<'ticker'> => {
  const { instrument, changeTicks, changePercent, lastId } = ticker;
  const { price } = numberTexts(instrument);
  return {
    ...streamTop(instrument, ticker, ticker.at),
    ...streamMiniTicker(ticker),
    p: changeTicks === undefined ? null : price(changeTicks),
    P: changePercent ?? null,
    L: lastId ?? null,
  };
};

/** Best prices with their sizes; null if a side is empty. */
export const streamTop = (
  instrument: Instrument,
  { ask, bid }: TopOfBook,
  at: Micros,
): Record<'top'> => {
  const { quantity } = numberTexts(instrument);
  return {
    t: at,
    a: priceText(instrument, ask?.ticks),
    A: ask === undefined ? null : quantity(ask.lots),
    b: priceText(instrument, bid?.ticks),
    B: bid === undefined ? null : quantity(bid.lots),
  };
};

/** A book or a change of one; before the first change it has the present time. */
export const streamBook = (
  instrument: Instrument,
  book: BookUpdate,
  now: Micros,
): Record<'book'> => {
  const level = levelTexts(instrument);
  return {
    t: book.sequence === 0 ? now : book.at,
    s: book.sequence,
    a: book.asks.map(level),
    b: book.bids.map(level),
  };
};
