import type { Currency } from '../../../../../model/currency.ts';
import {
  SPEED_MS,
  type Channel,
  type DepthLevels,
} from '../../../../../wire/trading/v3/streams/channels.ts';
import { futuresInfoOf } from '../../../views/v3/futures-info.ts';
import * as views from '../../../views/v3/stream.ts';
import type { Broadcast } from '../../market/broadcast.ts';
import type { MarketStreams } from '../../market/market-streams.ts';
import { TimedChannel, type Reading } from '../../market/timed-channel.ts';
import { BookTopic, CandlesTopic, TradesTopic } from '../../market/topics.ts';
import { dataFrames, frameOf, readingOf, written } from './frames.ts';

/** How often rates are sampled and their aggregates sent. */
const RATES_MS = 1_000;
/** The channel of futures names no speed. */
const FUTURES_MS = 1_000;

const LEVELS: Readonly<Record<DepthLevels, number>> = { D5: 5, D10: 10, D20: 20 };

type Of<F extends Channel['feed']> = Extract<Channel, { readonly feed: F }>;

/** A channel with the currency of its prices, if it has one. */
export interface RequestedChannel {
  readonly ch: string;
  readonly channel: Channel;
  readonly target?: Currency;
}

/** The broadcast of a channel of version 3. */
export function channelOf(streams: MarketStreams, asked: RequestedChannel): Broadcast {
  const { ch, target } = asked;
  return streams.channel(`3 ${ch} ${target?.code ?? ''}`, () => make(streams, asked));
}

function make(streams: MarketStreams, { ch, channel, target }: RequestedChannel): Broadcast {
  switch (channel.feed) {
    case 'trades':
      return trades(streams, ch);
    case 'candles':
      return candles(streams, ch, channel);
    case 'converted-candles':
      return convertedCandles(streams, ch, channel, target?.code ?? '');
    case 'book':
      return books(streams, ch);
    case 'ticker':
    case 'mini-ticker':
      return tickers(streams, ch, channel);
    case 'partial-book':
    case 'top':
      return bookViews(streams, ch, channel);
    case 'price-rate':
      return rates(streams, ch, channel, target?.code ?? '');
    case 'futures-info':
      return futures(streams, ch);
  }
}

function trades(streams: MarketStreams, ch: string): Broadcast {
  const { marketData, exchange } = streams.service;
  return streams.following('trades', (index) => {
    const instrument = exchange.instruments[index];
    return new TradesTopic(marketData, index, (part, found) => {
      const records = found.map((trade) => views.streamTrade(instrument, trade));
      return frameOf(ch, 'trades', part, instrument.symbol, records);
    });
  });
}

function candles(streams: MarketStreams, ch: string, { period }: Of<'candles'>): Broadcast {
  const { marketData, exchange } = streams.service;
  return streams.following('trades', (index) => {
    const { symbol } = exchange.instruments[index];
    return new CandlesTopic({
      read: (page) => marketData.candles(index, period, page),
      // Each trade adds to the volume.
      content: (candle) => String(candle.volumeLots),
      write: (part, found) => frameOf(ch, 'candles', part, symbol, found.map(views.streamCandle)),
    });
  });
}

function convertedCandles(
  streams: MarketStreams,
  ch: string,
  { period }: Of<'converted-candles'>,
  target: string,
): Broadcast {
  const { marketData, exchange } = streams.service;
  return streams.polling(RATES_MS, (index) => {
    const instrument = exchange.instruments[index];
    return new CandlesTopic({
      read: (page) => marketData.convertedCandles(index, target, period, page),
      content: (candle) =>
        JSON.stringify(
          written('converted-candles', [views.streamConvertedCandle(instrument, candle)]),
        ),
      write: (part, found) => {
        const records = found.map((candle) => views.streamConvertedCandle(instrument, candle));
        return frameOf(ch, 'converted-candles', part, instrument.symbol, records);
      },
    });
  });
}

function books(streams: MarketStreams, ch: string): Broadcast {
  const { service } = streams;
  return streams.following('book', (index) => {
    const instrument = service.exchange.instruments[index];
    return new BookTopic(service.marketData, index, (part, book) =>
      frameOf(
        ch,
        'book',
        part,
        instrument.symbol,
        views.streamBook(instrument, book, service.now()),
      ),
    );
  });
}

/** A channel that reads a symbol at intervals. */
function timed(
  streams: MarketStreams,
  ch: string,
  setup: {
    readonly everyMs: number;
    readonly batch: boolean;
    readonly read: (index: number, sequence: number) => Reading;
    readonly mark?: (index: number) => number;
  },
): Broadcast {
  const { exchange } = streams.service;
  const { everyMs, batch, read, mark = () => Number.NaN } = setup;
  return new TimedChannel({
    beats: streams.beats,
    everyMs,
    batch,
    read: (symbol, sequence) => read(exchange.instrument(symbol), sequence),
    mark: (symbol) => mark(exchange.instrument(symbol)),
    write: dataFrames(ch),
  });
}

function tickers(
  streams: MarketStreams,
  ch: string,
  { feed, speed, batch }: Of<'ticker' | 'mini-ticker'>,
): Broadcast {
  const { service } = streams;
  const read = (index: number): Reading => {
    const ticker = service.marketData.ticker(index, service.now());
    return feed === 'ticker'
      ? readingOf(feed, views.streamTicker(ticker))
      : readingOf(feed, views.streamMiniTicker(ticker));
  };
  return timed(streams, ch, { everyMs: SPEED_MS[speed], batch, read });
}

function bookViews(
  streams: MarketStreams,
  ch: string,
  channel: Of<'partial-book' | 'top'>,
): Broadcast {
  const { service } = streams;
  const { books: published } = service.marketData;
  const read = (index: number, sequence: number): Reading => {
    const instrument = service.exchange.instruments[index];
    const depth = channel.feed === 'top' ? 1 : LEVELS[channel.depth];
    const book = published[index].snapshot(depth);
    const shown = views.streamBook(instrument, book, service.now());
    if (channel.feed === 'partial-book') return readingOf(channel.feed, { ...shown, s: sequence });
    const [ask, bid] = [book.asks.at(0), book.bids.at(0)];
    return readingOf(channel.feed, views.streamTop(instrument, { ask, bid }, shown.t));
  };
  const mark = (index: number): number => published[index].sequence;
  const { speed, batch } = channel;
  return timed(streams, ch, { everyMs: SPEED_MS[speed], batch, read, mark });
}

function futures(streams: MarketStreams, ch: string): Broadcast {
  const { service } = streams;
  const read = (index: number): Reading => readingOf('futures-info', futuresInfoOf(service, index));
  return timed(streams, ch, { everyMs: FUTURES_MS, batch: false, read });
}

function rates(
  streams: MarketStreams,
  ch: string,
  { speed, batch }: Of<'price-rate'>,
  target: string,
): Broadcast {
  const { service } = streams;
  return new TimedChannel({
    beats: streams.beats,
    everyMs: SPEED_MS[speed],
    batch,
    read: (currency) => {
      const rate = service.marketData.rate(currency, target);
      if (rate === undefined) return undefined;
      return readingOf('price-rate', { t: service.now(), r: rate });
    },
    mark: () => Number.NaN,
    write: dataFrames(ch),
  });
}
