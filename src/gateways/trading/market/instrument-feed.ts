import { MillraceError, type Warn } from '../../../model/errors.ts';
import { GAP, LAST } from '../../../model/events.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { MarketListener, Wanted } from '../../market-source.ts';
import { BookFeed } from './book-feed.ts';
import { CandleFeed } from './candle-feed.ts';
import type { CandleHistory } from './candle-history.ts';
import type { MarketSubscriptions, Feed } from './subscriptions.ts';
import { FuturesFeed } from './futures-feed.ts';
import { QuoteFeed } from './quote-feed.ts';
import type { EventRows } from '../../rows.ts';
import { lotReader, tickReader, type StepReader } from './step-reader.ts';
import { TradeFeed } from './trade-feed.ts';
import type { PublicTradeHistory } from './trade-history.ts';

/** A snapshot that has not arrived after this time is requested again. */
const SNAPSHOT_WITHIN_US = 10 * US_PER_SECOND;
/**
 * Lists begin with a snapshot of the past, which services omit if it is empty. A snapshot that has not
 * arrived after this time counts as empty; should it come later, it counts.
 */
const EMPTY_AFTER_US = US_PER_SECOND;
/** The shortest time between two subscriptions to a channel. */
const RENEWED_EVERY_US = US_PER_SECOND;

/** Dependencies shared by the feeds of all instruments. */
export interface InstrumentExchange {
  readonly scheduler: Scheduler;
  readonly rows: EventRows;
  readonly trades: PublicTradeHistory;
  readonly candles: CandleHistory;
  readonly settleUs: number;
  /** By how much the service's clock is ahead. */
  readonly skewUs: number;
  readonly warn: Warn;
  read: MarketSubscriptions['read'];
  pause: MarketSubscriptions['pause'];
  /** Ends a channel of a symbol and subscribes again. */
  renew(ch: string, symbol: string, limit: number | undefined): void;
  /** A feed was replaced by another: its channel is to be unsubscribed. */
  ended(owner: InstrumentFeed, feed: Feed): void;
}

/** Subscriptions that a change begins and ends. */
export interface FeedChange {
  readonly begun: readonly Feed[];
  readonly ended: readonly Feed[];
}

const isBook = (feed: Feed): boolean => feed instanceof BookFeed || feed instanceof QuoteFeed;

/**
 * The market of one instrument: its subscriptions, and whether it is connected. An instrument without
 * subscriptions is not connected.
 *
 * When the whole book replaces the best bid and offer, or the reverse, the old feed goes on until the first
 * frame of the new one, so there is never a moment without either.
 */
export class InstrumentFeed implements MarketSubscriptions {
  readonly instrument: Instrument;
  readonly price: StepReader;
  readonly size: StepReader;
  readonly rows: EventRows;
  /** By their channels. */
  readonly feeds = new Map<string, Feed>();
  readonly #index: number;
  readonly #listener: MarketListener;
  readonly #exchange: InstrumentExchange;
  readonly #renewedAt = new Map<string, number>();
  readonly #timers = new Map<string, Cancel>();
  /** The book or BBO feed whose rows are emitted, and the one that will replace it. */
  #book: Feed | undefined;
  #nextBook: Feed | undefined;
  #isConnected = false;
  #isReceived = false;
  /** Whether rows were emitted without a GAP row after them. */
  #hasReported = false;

  constructor(
    index: number,
    wanted: Wanted,
    listener: MarketListener,
    exchange: InstrumentExchange,
  ) {
    const { instrument } = wanted;
    this.instrument = instrument;
    this.price = tickReader(instrument, exchange.warn);
    this.size = lotReader(instrument, exchange.warn);
    this.rows = exchange.rows;
    this.#index = index;
    this.#listener = listener;
    this.#exchange = exchange;
    this.want(wanted);
  }

  /** Changes the subscriptions. */
  want(wanted: Wanted): FeedChange {
    const made = this.#make(wanted);
    const begun = made.filter(({ ch }) => !this.feeds.has(ch));
    const left = [...this.feeds.values()].filter(({ ch }) => !made.some((one) => one.ch === ch));
    for (const feed of begun) this.feeds.set(feed.ch, feed);
    const next = [...this.feeds.values()].find((feed) => isBook(feed) && !left.includes(feed));
    this.#book ??= next;
    this.#nextBook = next === this.#book ? undefined : next;
    const isFollowed = this.#nextBook !== undefined;
    const ended = left.filter((feed) => !(isFollowed && feed === this.#book));
    for (const feed of ended) this.#end(feed);
    if (this.#isConnected) for (const feed of begun) this.#expect(feed);
    this.ready();
    return { begun, ended };
  }

  /** Processes data of a feed; false if they have an invalid form. */
  take(feed: Feed, part: 'snapshot' | 'update', payload: unknown, receivedAt: number): boolean {
    if (feed === this.#nextBook && (part === 'snapshot' || !feed.isWaiting)) this.#follow(feed);
    return feed.take(part, payload, receivedAt);
  }

  emit(): void {
    this.#hasReported = true;
    this.#listener.rows(this.#index, this.rows.columns);
  }

  now(): Micros {
    return this.#exchange.scheduler.now();
  }

  serviceNow(): Micros {
    return micros(this.now() + this.#exchange.skewUs);
  }

  atService(at: number, task: () => void): Cancel {
    return this.#exchange.scheduler.at(micros(at - this.#exchange.skewUs), task);
  }

  warn(warning: MillraceError): void {
    this.#exchange.warn(warning);
  }

  read<T>(ask: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> {
    return this.#exchange.read(ask, isWanted);
  }

  pause(us: number, isWanted: () => boolean): Promise<boolean> {
    return this.#exchange.pause(us, isWanted);
  }

  /** The socket is live: subscribed data arrive, or are about to. */
  connected(): void {
    this.#isConnected = true;
    for (const feed of this.feeds.values()) this.#expect(feed);
    this.ready();
  }

  /** The connection is lost: emits a GAP row; the feeds start again with the next connection. */
  lost(why: string | undefined): void {
    this.#isConnected = false;
    this.#quiet();
    for (const feed of this.feeds.values()) feed.lose();
    if (this.#hasReported || this.#isReceived) this.#gap();
    if (!this.#isReceived) return;
    this.#isReceived = false;
    this.#listener.connectionState(this.#index, 'lost', why);
  }

  ready(): void {
    if (this.#isReceived || !this.#isConnected || this.feeds.size === 0) return;
    for (const feed of this.feeds.values()) if (!feed.isReady) return;
    this.#isReceived = true;
    this.#listener.connectionState(this.#index, 'live');
  }

  /** Requests data that arrive at once: a book always has a snapshot. */
  ask(): void {
    const feeds = [...this.feeds.values()];
    const asked = feeds.find(isBook) ?? feeds[0];
    if (asked !== undefined) this.renew(asked.ch);
  }

  /** A channel sent what it should not: subscribes to it again. */
  broken(feed: Feed): void {
    const { symbol } = this.instrument;
    this.warn(
      new MillraceError(
        'answer-invalid',
        `A frame of ${feed.ch} for ${symbol} cannot be read; it is subscribed to again.`,
        { field: 'ch' },
      ),
    );
    const wasReady = feed.isReady;
    feed.lose();
    if (wasReady && feed instanceof BookFeed && feed === this.#book) this.#gap();
    this.renew(feed.ch);
  }

  renew(ch: string): void {
    const feed = this.feeds.get(ch);
    if (feed === undefined || !this.#isConnected) return;
    const now = this.now();
    const mayAt = (this.#renewedAt.get(ch) ?? Number.NEGATIVE_INFINITY) + RENEWED_EVERY_US;
    if (mayAt > now) {
      this.#later(ch, mayAt, () => {
        this.renew(ch);
      });
      return;
    }
    this.#renewedAt.set(ch, now);
    this.#exchange.renew(ch, this.instrument.symbol, feed.limit);
    this.#expect(feed);
  }

  close(): void {
    this.#isConnected = false;
    this.#quiet();
    for (const feed of this.feeds.values()) feed.close();
  }

  /** The next book replaces the present one, which is no longer valid. */
  #follow(next: Feed): void {
    const previous = this.#book;
    this.#book = next;
    this.#nextBook = undefined;
    if (previous === undefined) return;
    this.#drop(previous);
    this.#gap();
    this.#exchange.ended(this, previous);
  }

  #end(feed: Feed): void {
    this.#drop(feed);
    if (feed !== this.#book) return;
    this.#book = undefined;
    this.#gap();
  }

  #drop(feed: Feed): void {
    this.feeds.delete(feed.ch);
    this.#timers.get(feed.ch)?.();
    this.#timers.delete(feed.ch);
    this.#renewedAt.delete(feed.ch);
    feed.close();
  }

  /** Something is missing, and it is unknown what. */
  #gap(): void {
    const now = this.now();
    this.rows.clear();
    this.rows.add(now, now, GAP, LAST, 0, 0, 0, 0, 0, 0);
    this.emit();
    this.#hasReported = false;
  }

  #make({ trades, book, derivatives, candles, candlesFrom: from }: Wanted): readonly Feed[] {
    const { settleUs, trades: tradeHistory, candles: history } = this.#exchange;
    return [
      ...(trades ? [new TradeFeed(this, tradeHistory)] : []),
      ...(book === 'full' ? [new BookFeed(this)] : []),
      ...(book === 'top' ? [new QuoteFeed(this)] : []),
      ...(derivatives === true ? [new FuturesFeed(this)] : []),
      ...(candles === undefined ? [] : [new CandleFeed(this, candles, settleUs, history, from)]),
    ];
  }

  /** Subscribes again if no snapshot arrives. */
  #expect(feed: Feed): void {
    if (!feed.isWaiting) return;
    if (feed.mayBeEmpty) {
      this.#later(feed.ch, this.now() + EMPTY_AFTER_US, () => {
        if (feed.isWaiting) feed.take('snapshot', [], this.now());
      });
      return;
    }
    this.#later(feed.ch, this.now() + SNAPSHOT_WITHIN_US, () => {
      if (!feed.isWaiting) return;
      const { symbol } = this.instrument;
      this.warn(
        new MillraceError(
          'service-unavailable',
          `The service sent nothing on ${feed.ch} for ${symbol} within ${SNAPSHOT_WITHIN_US / US_PER_SECOND} s; it is subscribed to again.`,
          { field: 'ch' },
        ),
      );
      this.renew(feed.ch);
    });
  }

  /** Runs a task of a channel later, replacing its waiting task. */
  #later(ch: string, at: number, task: () => void): void {
    this.#timers.get(ch)?.();
    const cancel = this.#exchange.scheduler.at(micros(at), () => {
      this.#timers.delete(ch);
      task();
    });
    this.#timers.set(ch, cancel);
  }

  #quiet(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}
