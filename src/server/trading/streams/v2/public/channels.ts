import type { Period } from '../../../../../model/period.ts';
import { MARKET_NOTIFICATIONS } from '../../../../../wire/trading/v2/streams/market.ts';
import { writerOf } from '../../../../../wire/trading/writer.ts';
import * as views from '../../../views/v2/market.ts';
import type { Broadcast } from '../../market/broadcast.ts';
import type { MarketStreams } from '../../market/market-streams.ts';
import { reading, TimedChannel } from '../../market/timed-channel.ts';
import { BookTopic, CandlesTopic, TradesTopic } from '../../market/topics.ts';
import { noticesOf } from '../../notices.ts';

/** Version 2 has no speed parameter; its tickers use this interval. */
const TICKER_MS = 1_000;

const notice = noticesOf(MARKET_NOTIFICATIONS);
const writeTicker = writerOf(MARKET_NOTIFICATIONS.ticker);

/** Subscription of a symbol on the market data socket of version 2. */
export type Followed =
  | { readonly feed: 'ticker' | 'orderbook' | 'trades' }
  | { readonly feed: 'candles'; readonly period: Period };

/** The name of a channel, which identifies it. */
export const nameOf = (followed: Followed): string =>
  followed.feed === 'candles' ? `candles/${followed.period}` : followed.feed;

/** The broadcast of a channel of version 2. */
export const channelOf = (streams: MarketStreams, followed: Followed): Broadcast =>
  streams.channel(`2 ${nameOf(followed)}`, () => make(streams, followed));

function make(streams: MarketStreams, followed: Followed): Broadcast {
  switch (followed.feed) {
    case 'ticker':
      return tickers(streams);
    case 'orderbook':
      return books(streams);
    case 'trades':
      return trades(streams);
    case 'candles':
      return candles(streams, followed.period);
  }
}

function tickers(streams: MarketStreams): Broadcast {
  const { service } = streams;
  const { marketData, exchange } = service;
  return new TimedChannel({
    beats: streams.beats,
    everyMs: TICKER_MS,
    batch: false,
    read: (symbol) => {
      const ticker = marketData.ticker(exchange.instrument(symbol), service.now());
      return reading(writeTicker(views.tickerView(ticker)), 'timestamp');
    },
    mark: () => Number.NaN,
    write: (records) =>
      records.map(([, text]) => `{"jsonrpc":"2.0","method":"ticker","params":${text}}`).join(''),
  });
}

function books(streams: MarketStreams): Broadcast {
  const { service } = streams;
  return streams.following('book', (index) => {
    const instrument = service.exchange.instruments[index];
    return new BookTopic(service.marketData, index, (part, book) =>
      notice(part === 'snapshot' ? 'snapshotOrderbook' : 'updateOrderbook', {
        ask: views.levelViews(instrument, book.asks),
        bid: views.levelViews(instrument, book.bids),
        symbol: instrument.symbol,
        sequence: book.sequence,
        timestamp: book.sequence === 0 ? service.now() : book.at,
      }),
    );
  });
}

function trades(streams: MarketStreams): Broadcast {
  const { marketData, exchange } = streams.service;
  return streams.following('trades', (index) => {
    const instrument = exchange.instruments[index];
    return new TradesTopic(marketData, index, (part, found) =>
      notice(part === 'snapshot' ? 'snapshotTrades' : 'updateTrades', {
        data: found.map((trade) => views.tradeView(instrument, trade)),
        symbol: instrument.symbol,
      }),
    );
  });
}

function candles(streams: MarketStreams, period: Period): Broadcast {
  const { marketData, exchange } = streams.service;
  return streams.following('trades', (index) => {
    const { symbol } = exchange.instruments[index];
    return new CandlesTopic({
      read: (page) => marketData.candles(index, period, page),
      // Each trade adds to the volume.
      content: (candle) => String(candle.volumeLots),
      write: (part, found) =>
        notice(part === 'snapshot' ? 'snapshotCandles' : 'updateCandles', {
          data: found.map(views.candleView),
          symbol,
          period,
        }),
    });
  });
}
