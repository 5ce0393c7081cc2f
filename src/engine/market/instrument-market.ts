import { Candle } from '../../model/candle.ts';
import { DepthFeed } from '../../model/depth-feed.ts';
import { CANDLE, GAP, LEVEL, QUOTE, SELL, TRADE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { firstWholePeriod, periodEnd, type Period } from '../../model/period.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { ValuationPrice } from '../../model/valuation-price.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { Book, Top, Trade } from '../../strategy/context.ts';
import { Best } from './best.ts';
import { BookView } from './book-view.ts';
import { CandleStream } from './candle-stream.ts';
import { candleSource, type CandleSource, type FeedContents } from './feed-contents.ts';
import { Topic } from './topic.ts';
import { MarketTrade } from './trade.ts';
import type { EndedChannel, MarketUse } from './use.ts';

/** What a row changed, as bits, so that one test tells whether anybody waits for any of it. */
export const TRADED = 1;
export const BOOK = 2;
export const TOP = 4;
export const CANDLES = 8;
/** The price by which holdings are valued. */
export const PRICE = 16;

/** How many candles of a period a strategy that asked for them was shown. */
export interface CandlesShown {
  readonly symbol: string;
  readonly period: Period;
  readonly shown: number;
}

/** What the engine does for a market besides showing it. */
export interface MarketHost {
  readonly scheduler: Scheduler;
  /** Shows candles that ended by the clock, as an event of their own. */
  show(market: InstrumentMarket): void;
  /** What is used of it is not what it was. */
  readonly used?: ((market: InstrumentMarket) => void) | undefined;
}

/**
 * The market of one instrument as its feed tells it: book, top, trades, candles. `take` brings the
 * state up to date and is the hot path; `emit` shows what changed to those who listen.
 *
 * The book is kept whoever listens, as wishes are sized by it and somebody may listen later.
 */
export class InstrumentMarket {
  readonly instrument: Instrument;
  readonly contents: FeedContents;
  readonly best = new Best();
  readonly trades = new Topic<Trade>(undefined, () => this.#listen());
  readonly book = new Topic<Book>(undefined, () => this.#listen());
  readonly top = new Topic<Top>(undefined, () => this.#listen());
  /** What somebody waits for: bits as above. */
  awaited = 0;
  /** The part of it that the engine itself waits for. */
  own = 0;
  /** Price of the last trade or candle; NaN before the first. */
  lastTicks = Number.NaN as Ticks;
  /** By what holdings are valued. */
  readonly valuation = new ValuationPrice();
  readonly #feed = new DepthFeed();
  readonly #view: BookView;
  readonly #host: MarketHost;
  readonly #candles = new Map<Period, CandleStream>();
  #hasTraded = false;
  /** What was used when that was told last. */
  #used = '';
  /** The same streams, for the hot path. */
  #candleStreams: readonly CandleStream[] = [];

  constructor(instrument: Instrument, contents: FeedContents, host: MarketHost) {
    this.instrument = instrument;
    this.contents = contents;
    this.#host = host;
    this.#view = new BookView(instrument, this.#feed.depth);
  }

  get depth(): DepthFeed['depth'] {
    return this.#feed.depth;
  }

  /** What keeps that book, to be read. */
  get depthFeed(): Pick<DepthFeed, 'depth' | 'isFresh'> {
    return this.#feed;
  }

  /**
   * By what orders are reckoned of which nothing else tells the price: the last trade or candle, and until
   * there is one the best bid, or ask where there is none; NaN before all of them.
   */
  get priceTicks(): Ticks {
    if (!Number.isNaN(this.lastTicks)) return this.lastTicks;
    return Number.isNaN(this.best.bidTicks) ? this.best.askTicks : this.best.bidTicks;
  }

  /**
   * What is used of the market: what somebody listens to, and what the engine waits for. Equities follow
   * trades; an intent that waits is sized by the book.
   */
  get use(): MarketUse {
    const streams = this.#candleStreams.filter(({ topic }) => topic.awaited);
    const isBookUsed = this.book.awaited || (this.own & TOP) !== 0;
    return {
      trades:
        this.trades.awaited ||
        (this.own & PRICE) !== 0 ||
        streams.some(({ source }) => source === 'trades'),
      book: isBookUsed ? 'full' : this.top.awaited ? 'top' : 'none',
      candles: streams.some(({ source }) => source !== 'trades'),
    };
  }

  /**
   * A channel gives no more rows until it is used again. The price then follows candles once more, and a
   * candle that was being built has a hole and is not shown.
   */
  ended(channel: EndedChannel): void {
    if (channel === 'trades') {
      this.#hasTraded = false;
      this.valuation.tradesEnded();
    }
    for (const stream of this.#candleStreams) {
      if ((stream.source === 'trades') === (channel === 'trades')) stream.restart();
    }
  }

  /** Lets the engine itself wait for these changes, beside the strategy, or no longer. */
  await(changes: number, on: boolean): void {
    this.own = on ? this.own | changes : this.own & ~changes;
    this.#listen();
  }

  candles(period: Period): CandleStream {
    const known = this.#candles.get(period);
    if (known !== undefined) return known;
    const { instrument } = this;
    const { scheduler } = this.#host;
    const source = candleSource(instrument.symbol, this.contents, period);
    const stream = new CandleStream({
      instrument,
      period,
      source,
      scheduler,
      from: this.#wholeFrom(period, source),
      finished: () => this.#host.show(this),
      awaited: () => this.#listen(),
    });
    this.#candles.set(period, stream);
    this.#candleStreams = [...this.#candles.values()];
    this.awaited |= CANDLES;
    return stream;
  }

  /** From when on candles of a period can be built that are whole; undefined where the feed will tell. */
  #wholeFrom(period: Period, source: CandleSource): Micros | undefined {
    const now = this.#host.scheduler.now();
    const isUnderWay = !Number.isNaN(this.lastTicks);
    if (source !== 'trades') return isUnderWay ? periodEnd(period, micros(now - 1)) : undefined;
    if (isUnderWay) return periodEnd(period, now);
    return firstWholePeriod(period, micros(Math.max(now, this.contents.firstAt ?? 0)));
  }

  /** The candles that were asked for, and how many of each came. */
  get candlesShown(): readonly CandlesShown[] {
    const { symbol } = this.instrument;
    return this.#candleStreams.map(({ period, shown }) => ({ symbol, period, shown }));
  }

  /** Takes a row in; gives what it changed. Nothing is allocated but finished candles. */
  take(columns: EventColumns, row: number): number {
    const kind = columns.kind[row];
    if (kind === LEVEL) return this.#feed.apply(columns, row) ? this.#bookChanged() : 0;
    if (kind === TRADE) return this.#trade(columns.price[row] as Ticks, columns.size[row] as Lots);
    if (kind === QUOTE) return this.best.quote(columns, row) ? this.#topChanged() : 0;
    if (kind === CANDLE) return this.#candle(columns, row);
    const changed = this.#feed.apply(columns, row) ? this.#bookChanged() : 0;
    if (kind !== GAP) return changed;
    for (const stream of this.#candleStreams) stream.miss();
    return this.best.gap() ? changed | TOP : changed;
  }

  /** Shows what changed with a row, candles first, as they ended before it. */
  emit(changes: number, columns: EventColumns, row: number): void {
    const now = this.#host.scheduler.now();
    if ((changes & CANDLES) !== 0) this.emitCandles();
    if ((changes & TRADED) !== 0 && this.trades.awaited) {
      this.trades.emit(this.#tradeOf(columns, row, now));
    }
    if ((changes & BOOK) !== 0 && this.book.awaited) {
      this.#view.at = now;
      this.book.emit(this.#view);
    }
    if ((changes & TOP) !== 0 && this.top.awaited) {
      this.top.emit(this.best.top(this.instrument, now));
    }
  }

  emitCandles(): void {
    for (const stream of this.#candleStreams) stream.emitWaiting();
  }

  #bookChanged(): number {
    return this.best.follow(this.#feed.depth) ? BOOK | this.#topChanged() : BOOK;
  }

  #topChanged(): number {
    const { bidTicks, askTicks, stale } = this.best;
    return !stale && this.valuation.quote(bidTicks, askTicks) ? TOP | PRICE : TOP;
  }

  #trade(ticks: Ticks, lots: Lots): number {
    let changes = this.valuation.trade(ticks) ? TRADED | PRICE : TRADED;
    this.lastTicks = ticks;
    this.#hasTraded = true;
    const streams = this.#candleStreams;
    if (streams.length === 0) return changes;
    const now = this.#host.scheduler.now();
    for (let i = 0; i < streams.length; i += 1) {
      if (streams[i].source !== 'trades') continue;
      streams[i].trade(now, ticks, lots);
      if (streams[i].isWaiting) changes |= CANDLES;
    }
    return changes;
  }

  #candle(columns: EventColumns, row: number): number {
    const period = this.contents.candlePeriod;
    const ticks = columns.price[row] as Ticks;
    // A candle is told after its end; a trade that was seen since is the later price.
    if (!this.#hasTraded) this.lastTicks = ticks;
    const isPrice = this.valuation.candle(ticks);
    const changes = isPrice ? CANDLES | PRICE : CANDLES;
    if (period === undefined || this.#candleStreams.length === 0) return changes;
    const candle = this.#candleOf(columns, row, period);
    for (const stream of this.#candleStreams) {
      if (stream.source !== 'trades') stream.candle(candle);
    }
    return changes;
  }

  #candleOf(columns: EventColumns, row: number, period: Period): Candle {
    const openedAt = micros(columns.stampedAt[row]);
    return new Candle(
      this.instrument,
      period,
      openedAt,
      periodEnd(period, openedAt),
      columns.open[row] as Ticks,
      columns.askPrice[row] as Ticks,
      columns.askSize[row] as Ticks,
      columns.price[row] as Ticks,
      columns.size[row] as Lots,
    );
  }

  #tradeOf(columns: EventColumns, row: number, now: Micros): MarketTrade {
    return new MarketTrade(
      this.instrument,
      now,
      micros(columns.stampedAt[row]),
      columns.sequence[row],
      (columns.flags[row] & SELL) === 0 ? 'buy' : 'sell',
      columns.price[row] as Ticks,
      columns.size[row] as Lots,
    );
  }

  #listen(): void {
    this.awaited =
      this.own |
      (this.#candles.size > 0 ? CANDLES : 0) |
      (this.trades.awaited ? TRADED : 0) |
      (this.book.awaited ? BOOK : 0) |
      (this.top.awaited ? TOP : 0);
    if (this.#host.used === undefined) return;
    const { trades, book, candles } = this.use;
    const used = `${trades} ${book} ${candles}`;
    if (used === this.#used) return;
    this.#used = used;
    this.#host.used(this);
  }
}
