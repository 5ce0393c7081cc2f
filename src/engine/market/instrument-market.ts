import { Candle } from '../../model/candle.ts';
import type { Best } from '../../model/best.ts';
import type { ContractModel } from '../../model/contract-model.ts';
import type { Depth } from '../../model/depth.ts';
import { MARKED } from '../../model/derivative-state.ts';
import { SELL, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  BOOK,
  CANDLES,
  MISSED,
  PRICE,
  TOP,
  TRADED,
  type InstrumentState,
} from '../../model/instrument-state.ts';
import { firstWholePeriod, periodEnd, type CandlePeriod } from '../../model/period.ts';
import type { Prices } from '../../model/prices.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { Book, BestBidOffer, Trade } from '../../strategy/context.ts';
import { BookView } from './book-view.ts';
import { CandleStream } from './candle-stream.ts';
import { DerivativeStreams } from './derivative-streams.ts';
import {
  candleSource,
  derivativesOf,
  type CandleSource,
  type FeedContents,
} from './feed-contents.ts';
import { MarketTopic } from './topic.ts';
import { MarketTrade } from './trade.ts';
import type { EndedChannel, MarketUse } from './use.ts';

/** How many candles of a period were emitted to the strategy that requested them. */
export interface CandleCount {
  readonly symbol: string;
  readonly period: CandlePeriod;
  readonly emitted: number;
}

/** Dependencies of a market. */
export interface MarketHost {
  readonly scheduler: Scheduler;
  /** Emits candles that ended by the clock, as a separate event. */
  show(market: InstrumentMarket): void;
  /** The venue's own model of a contract; absent if there is none. */
  readonly model?: ((symbol: string) => ContractModel | undefined) | undefined;
  /** Called when the subscribers of modelled values change. */
  modelled(): void;
  /** Called when the use of the market changes. */
  readonly used?: ((market: InstrumentMarket) => void) | undefined;
}

/**
 * The market of one instrument as a strategy sees it: trades, book, BBO and candles, emitted to
 * subscribers. Its data is in its state, which others may share; `take` is the hot path, `emit`
 * emits what changed.
 *
 * The book is always maintained, as managed orders are sized by it and a subscriber may come later.
 */
export class InstrumentMarket {
  readonly instrument: Instrument;
  readonly state: InstrumentState;
  readonly contents: FeedContents;
  readonly trades = new MarketTopic<Trade>(undefined, () => this.#listen());
  readonly book = new MarketTopic<Book>(undefined, () => this.#listen());
  readonly top = new MarketTopic<BestBidOffer>(undefined, () => this.#listen());
  /** Changes that anybody waits for: bits as above. */
  awaited = 0;
  /** The part of it that the engine itself waits for. */
  own = 0;
  /** Derivative data of its feed, as bits of `DerivativeState`. */
  readonly reported: number;
  /** True if its venue models what the feed lacks. */
  readonly isModelled: boolean;
  readonly derivatives: DerivativeStreams;
  /** Changes that each part of the engine waits for. */
  readonly #own = new Map<unknown, number>();
  readonly #view: BookView;
  readonly #host: MarketHost;
  readonly #candles = new Map<CandlePeriod, CandleStream>();
  /** The last reported use. */
  #used = '';
  /** The candle streams, for the hot path. */
  #candleStreams: readonly CandleStream[] = [];

  constructor(
    instrument: Instrument,
    state: InstrumentState,
    contents: FeedContents,
    host: MarketHost,
  ) {
    this.instrument = instrument;
    this.state = state;
    this.contents = contents;
    this.#host = host;
    this.#view = new BookView(instrument, state.depth);
    this.reported = derivativesOf(instrument, contents);
    const { scheduler, model } = host;
    this.isModelled = model !== undefined && instrument.isContract;
    this.derivatives = new DerivativeStreams({
      instrument,
      state: state.derivative,
      now: () => scheduler.now(),
      model: this.isModelled ? () => model?.(instrument.symbol) : undefined,
      reported: this.reported,
      awaited: () => {
        this.#listen();
        if (this.isModelled) host.modelled();
      },
    });
  }

  get depth(): Depth {
    return this.state.depth;
  }

  get best(): Best {
    return this.state.best;
  }

  get prices(): Prices {
    return this.state.prices;
  }

  /** The valuation in ticks, fractional for a mid price; NaN without one. */
  get lastTicks(): Ticks {
    return (this.prices.valuation / 2) as Ticks;
  }

  /**
   * Use of the market by subscribers and the engine. Equities follow trades; a waiting managed
   * order is sized by the book.
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
      ...(this.derivatives.awaited === 0 ? {} : { derivatives: true }),
    };
  }

  /**
   * Notes that a channel gives no more rows until it is used again: an open built candle has a hole
   * and is not emitted.
   */
  ended(channel: EndedChannel): void {
    for (const stream of this.#candleStreams) {
      if ((stream.source === 'trades') === (channel === 'trades')) stream.restart();
    }
  }

  /** Turns on or off that a part of the engine waits for these changes. */
  await(part: unknown, changes: number, on: boolean): void {
    if ((this.#own.get(part) ?? 0) === (on ? changes : 0)) return;
    if (on) this.#own.set(part, changes);
    else this.#own.delete(part);
    this.own = 0;
    for (const bits of this.#own.values()) this.own |= bits;
    this.#listen();
  }

  candles(period: CandlePeriod): CandleStream {
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

  /** Start of the first complete built candle; undefined if the feed decides. */
  #wholeFrom(period: CandlePeriod, source: CandleSource): Micros | undefined {
    const now = this.#host.scheduler.now();
    const isUnderWay = this.prices.hasPrinted;
    if (source !== 'trades') return isUnderWay ? periodEnd(period, micros(now - 1)) : undefined;
    if (isUnderWay) return periodEnd(period, now);
    return firstWholePeriod(period, micros(Math.max(now, this.contents.firstAt ?? 0)));
  }

  /** Requested candles, and how many of each were emitted. */
  get candleCounts(): readonly CandleCount[] {
    const { symbol } = this.instrument;
    return this.#candleStreams.map(({ period, emittedCount }) => ({
      symbol,
      period,
      emitted: emittedCount,
    }));
  }

  /**
   * Applies a row that the state has applied, with its changes; returns all changes. Nothing is
   * allocated but finished candles.
   */
  take(changes: number, columns: EventColumns, row: number): number {
    return this.#candleStreams.length === 0 ? changes : this.#build(changes, columns, row);
  }

  /** Emits the changes of a row, candles first, as they ended before it. */
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
      this.top.emit(topOf(this.instrument, this.best, now));
    }
    if (changes >= MARKED) this.derivatives.emit(changes);
  }

  emitCandles(): void {
    for (const stream of this.#candleStreams) stream.emitWaiting();
  }

  /** Builds candles; finished ones count as a change. */
  #build(changes: number, columns: EventColumns, row: number): number {
    if ((changes & CANDLES) !== 0) this.#candle(columns, row);
    else if ((changes & MISSED) !== 0) for (const stream of this.#candleStreams) stream.miss();
    if ((changes & TRADED) === 0) return changes;
    const streams = this.#candleStreams;
    const now = this.#host.scheduler.now();
    let ended = 0;
    for (let i = 0; i < streams.length; i += 1) {
      if (streams[i].source !== 'trades') continue;
      streams[i].trade(now, columns.price[row] as Ticks, columns.size[row] as Lots);
      if (streams[i].isWaiting) ended = CANDLES;
    }
    return changes | ended;
  }

  #candle(columns: EventColumns, row: number): void {
    const period = this.contents.candlePeriod;
    if (period === undefined) return;
    const candle = this.#candleOf(columns, row, period);
    for (const stream of this.#candleStreams) {
      if (stream.source !== 'trades') stream.candle(candle);
    }
  }

  #candleOf(columns: EventColumns, row: number, period: CandlePeriod): Candle {
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
      (this.top.awaited ? TOP : 0) |
      this.derivatives.awaited;
    if (this.#host.used === undefined) return;
    const { trades, book, candles, derivatives = false } = this.use;
    const used = `${trades} ${book} ${candles} ${derivatives}`;
    if (used === this.#used) return;
    this.#used = used;
    this.#host.used(this);
  }
}

/** A copy of best bid and ask for subscribers. */
function topOf(instrument: Instrument, best: Best, at: Micros): BestBidOffer {
  const { bidTicks, bidLots, askTicks, askLots, stale } = best;
  return { instrument, at, bidTicks, bidLots, askTicks, askLots, stale };
}
