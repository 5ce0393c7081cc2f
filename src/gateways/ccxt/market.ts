import type { FeedContents } from '../../engine/market/feed-contents.ts';
import { MillraceError, type Warn } from '../../model/errors.ts';
import { eventColumns, GAP, LAST, SELL, TRADE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { periodEnd, type Period } from '../../model/period.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';
import type { MarketListener, MarketSource, Wanted } from '../market-source.ts';
import { EventRows } from '../rows.ts';
import { addBar, type CandleBar } from '../trading/market/candle-history.ts';
import { lotReader, tickReader } from '../trading/market/step-reader.ts';
import { RetryingReader } from '../trading/retrying-reader.ts';
import { CcxtBook, type GridReaders } from './book.ts';
import { CcxtCandles } from './candles.ts';
import { CcxtDerivatives, derivativeSources, type DerivativeSource } from './derivatives.ts';
import { readingError } from './errors.ts';
import { loadMarkets, type CcxtExchange, type Given, type Rows } from './exchange.ts';
import { numberOf, textOf } from './records.ts';
import { Streams } from './streams.ts';
import { venueRules } from './venues.ts';

export interface CcxtMarketSetup {
  /** Its numbers are floats, which are rounded to the grid; order books of ccxt have no others. */
  readonly exchange: CcxtExchange;
  /** Another object of its class whose numbers are text: it reports contract data. */
  readonly contractExchange: CcxtExchange;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly warn: Warn;
  /** How often what has no stream is asked for. */
  readonly pollUs: number;
}

export const TIMEFRAMES: Readonly<Record<Period, string>> = {
  M1: '1m',
  M3: '3m',
  M5: '5m',
  M15: '15m',
  M30: '30m',
  H1: '1h',
  H4: '4h',
  D1: '1d',
  D7: '1w',
  '1M': '1M',
};

/** Known trades by id, so that none is reported twice. */
const TRADES_MAX = 5_000;
const PAGES_MAX = 1_000;

/**
 * The market of an exchange of ccxt: by streams if its class has them, otherwise by polling. A book is
 * `RESET` and its levels, then changes; after a failure a `GAP` comes and the market is lost until the book
 * is whole again. Trades missed in between are reported if the venue still lists them.
 */
export class CcxtMarket implements MarketSource {
  readonly #setup: CcxtMarketSetup;
  readonly #streams: Streams[] = [];
  readonly #reader: RetryingReader;
  /** Instruments as ccxt counts their quantities, and what reports of contracts, by symbol. */
  readonly #known = new Map<string, Known>();
  #isClosed = false;

  constructor(setup: CcxtMarketSetup) {
    this.#setup = setup;
    this.#reader = new RetryingReader(setup);
  }

  /**
   * Sets the instruments as ccxt has them; traded contracts may be counted otherwise. Queries which
   * contract data the exchange reports. Called first.
   */
  async learn(instruments: readonly Instrument[]): Promise<void> {
    const { exchange, contractExchange, scheduler, warn } = this.#setup;
    for (const instrument of instruments) {
      const { symbol, terms } = instrument;
      if (this.#known.has(symbol)) continue;
      const isContract = terms.type === 'futures';
      if (isContract) await this.#read(() => loadMarkets(contractExchange, exchange));
      const sources = isContract
        ? await this.#read(() =>
            derivativeSources(contractExchange, instrument, () => scheduler.now(), warn),
          )
        : [];
      this.#known.set(symbol, { instrument, sources });
    }
  }

  /** Trades, the book and candles, and of a contract what `learn` has found. */
  contents(symbol: string): FeedContents {
    const sources = this.#known.get(symbol)?.sources ?? [];
    const derivatives = sources.reduce((all, { bits }) => all | bits, 0);
    return { trades: true, levels: true, quotes: false, candlePeriod: 'M1', derivatives };
  }

  async open(wanted: readonly Wanted[], listener: MarketListener): Promise<void> {
    await this.#read(() => loadMarkets(this.#setup.exchange));
    for (const [index, one] of wanted.entries()) {
      const { scheduler, random, warn } = this.#setup;
      const { instrument, sources } = this.#known.get(one.instrument.symbol) ?? { ...one, sources: [] }; // prettier-ignore
      const market = new SymbolMarket(index, { ...one, instrument }, listener, this.#setup);
      const streams = new Streams({ scheduler, random, warn, lost: (why) => market.lost(why) });
      this.#streams.push(streams);
      market.start(streams);
      if (one.derivatives !== true || sources.length === 0) continue;
      const beside = new Streams({ scheduler, random, warn, lost: () => market.lostBeside() });
      this.#streams.push(beside);
      market.startBeside(beside, sources);
    }
  }

  async history(
    given: Instrument,
    period: Period,
    from: Micros,
    till: Micros,
  ): Promise<EventColumns> {
    const { exchange, warn } = this.#setup;
    const { symbol } = given;
    const { instrument } = this.#known.get(symbol) ?? { instrument: given };
    await this.#read(() => loadMarkets(exchange));
    const params = venueRules(exchange.id).candleParams;
    const candles = new CcxtCandles(instrument, period, readersOf(instrument, warn), warn);
    const bars = new Map<number, CandleBar>();
    let since = Math.floor(from / US_PER_MS);
    for (let page = 0; page < PAGES_MAX && exchange.has.fetchOHLCV === true; page += 1) {
      const begin = since;
      const rows = await this.#read(() =>
        exchange.fetchOHLCV(symbol, TIMEFRAMES[period], begin, undefined, params),
      );
      const before = bars.size;
      for (const bar of candles.read(rows)) bars.set(bar.openedAt, bar);
      since = Math.max(since, ...rows.map(([time]) => Number(time) + 1));
      if (bars.size === before || since * US_PER_MS > till) break;
    }
    const finished = [...bars.values()]
      .filter(({ openedAt }) => openedAt >= from && periodEnd(period, micros(openedAt)) <= till)
      .sort((one, other) => one.openedAt - other.openedAt);
    const rows = new EventRows(eventColumns(Math.max(1, finished.length)));
    for (const bar of finished) addBar(rows, bar, periodEnd(period, micros(bar.openedAt)));
    return rows.columns;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reader.close();
    for (const streams of this.#streams) streams.close();
    await this.#setup.exchange.close();
    await this.#setup.contractExchange.close();
  }

  async #read<T>(question: () => Promise<T>): Promise<T> {
    const ask = async (): Promise<{ readonly answer: T }> => {
      try {
        return { answer: await question() };
      } catch (error) {
        throw readingError(error);
      }
    };
    const found = await this.#reader.read(ask, () => !this.#isClosed);
    if (found !== undefined) return found.answer;
    throw new MillraceError('unreachable', 'The market was closed before the venue answered.');
  }
}

/** State of a symbol. */
interface Known {
  readonly instrument: Instrument;
  readonly sources: readonly DerivativeSource[];
}

const readersOf = (instrument: Instrument, warn: CcxtMarketSetup['warn']): GridReaders => ({
  price: tickReader(instrument, warn),
  size: lotReader(instrument, warn),
});

/** Subscriptions of one symbol. */
class SymbolMarket {
  readonly #index: number;
  readonly #wanted: Wanted;
  readonly #listener: MarketListener;
  readonly #setup: CcxtMarketSetup;
  readonly #readers: GridReaders;
  readonly #rows = new EventRows();
  readonly #book: CcxtBook | undefined;
  readonly #candles: CcxtCandles | undefined;
  readonly #derivatives: CcxtDerivatives;
  readonly #known = new Set<string>();
  /** The feeds that a loss left without what they need; the market is live when none is left. */
  readonly #missing = new Set<'trades' | 'book'>();
  #hasBegun = false;
  #lastTradeAt = 0;
  /** Candles from this time on were missed. */
  #candlesSince: number | undefined;

  constructor(index: number, wanted: Wanted, listener: MarketListener, setup: CcxtMarketSetup) {
    this.#index = index;
    this.#wanted = wanted;
    this.#listener = listener;
    this.#setup = setup;
    const { instrument, book, candles, candlesFrom } = wanted;
    this.#readers = readersOf(instrument, setup.warn);
    this.#derivatives = new CcxtDerivatives(instrument, setup.warn);
    if (book !== 'none') this.#book = new CcxtBook(this.#readers, book);
    if (candles !== undefined) {
      this.#candles = new CcxtCandles(instrument, candles, this.#readers, setup.warn, candlesFrom);
    }
    this.#candlesSince = candlesFrom;
    this.#miss();
  }

  start(streams: Streams): void {
    const { exchange, pollUs } = this.#setup;
    const { has } = exchange;
    const { instrument, candles, trades } = this.#wanted;
    const { symbol } = instrument;
    if (this.#book !== undefined) {
      const take = (given: Given): void => this.#takeBook(given);
      if (has.watchOrderBook === true) {
        streams.run('watchOrderBook', () => exchange.watchOrderBook(symbol), take);
      } else streams.run('fetchOrderBook', () => exchange.fetchOrderBook(symbol), take, pollUs);
    }
    if (trades) {
      const take = (given: readonly Given[]): void => this.#takeTrades(given);
      if (has.watchTrades === true) {
        streams.run('watchTrades', () => this.#nextTrades(symbol), take);
      } else streams.run('fetchTrades', () => exchange.fetchTrades(symbol), take, pollUs);
    }
    if (candles === undefined) return;
    const timeframe = TIMEFRAMES[candles];
    const take = (given: Rows): void => this.#takeCandles(given);
    if (has.watchOHLCV === true) {
      streams.run('watchOHLCV', () => this.#nextCandles(symbol, timeframe), take);
    } else {
      streams.run('fetchOHLCV', () => exchange.fetchOHLCV(symbol, timeframe), take, pollUs);
    }
  }

  /** Starts the contract data: losing them leaves the market as it is. */
  startBeside(streams: Streams, sources: readonly DerivativeSource[]): void {
    const { contractExchange: exchange, pollUs } = this.#setup;
    const { symbol } = this.#wanted.instrument;
    for (const source of sources) {
      const { watch, fetch } = source;
      const take = (given: Given): void => this.#takeBeside(given, source);
      if (watch !== undefined && exchange.has[watch] === true) {
        streams.run(watch, () => exchange[watch](symbol), take);
      } else streams.run(fetch, () => exchange[fetch](symbol), take, pollUs);
    }
  }

  lostBeside(): void {
    this.#derivatives.lose();
  }

  /** Something of the symbol was missed. */
  lost(why: string): void {
    if (!this.#hasBegun && this.#missing.size > 0) {
      this.#listener.connectionState(this.#index, 'lost', why);
      return;
    }
    const wasLive = this.#missing.size === 0;
    this.#miss();
    this.#book?.lose();
    this.#candlesSince = this.#candles?.nextAt;
    if (!wasLive) return;
    const now = this.#setup.scheduler.now();
    this.#rows.clear();
    this.#rows.add(now, now, GAP, LAST, 0, 0, 0, 0, 0, 0);
    this.#listener.rows(this.#index, this.#rows.columns);
    this.#listener.connectionState(this.#index, 'lost', why);
  }

  #miss(): void {
    if (this.#book !== undefined) this.#missing.add('book');
    if (this.#wanted.trades) this.#missing.add('trades');
  }

  #found(what: 'trades' | 'book'): void {
    if (this.#hasBegun && !this.#missing.has(what)) return;
    this.#missing.delete(what);
    if (this.#missing.size > 0) return;
    this.#hasBegun = true;
    this.#listener.connectionState(this.#index, 'live');
  }

  /** A stream of trades is silent if none trades: the first ones are fetched. */
  async #nextTrades(symbol: string): Promise<readonly Given[]> {
    const { exchange } = this.#setup;
    if (!this.#missing.has('trades')) return await exchange.watchTrades(symbol);
    if (exchange.has.fetchTrades !== true) {
      this.#found('trades');
      return await exchange.watchTrades(symbol);
    }
    return await exchange.fetchTrades(symbol);
  }

  /** A stream of candles begins with the open one: earlier ones are fetched. */
  async #nextCandles(symbol: string, timeframe: string): Promise<Rows> {
    const { exchange } = this.#setup;
    const since = this.#candlesSince;
    if (since === undefined || exchange.has.fetchOHLCV !== true) {
      return await exchange.watchOHLCV(symbol, timeframe);
    }
    const from = Math.floor(since / US_PER_MS);
    const params = venueRules(exchange.id).candleParams;
    const missed = await exchange.fetchOHLCV(symbol, timeframe, from, undefined, params);
    this.#candlesSince = undefined;
    return missed;
  }

  #takeBook(given: Given): void {
    const now = this.#setup.scheduler.now();
    this.#listener.alive?.(now);
    this.#rows.clear();
    if (!(this.#book?.take(given, now, this.#rows) ?? true)) throw unreadable('book', this.#wanted);
    this.#emit();
    this.#found('book');
  }

  /** New trades, oldest first; none from before the first answer. */
  #takeTrades(given: readonly Given[]): void {
    const now = this.#setup.scheduler.now();
    this.#listener.alive?.(now);
    const isFirst = this.#known.size === 0 && !this.#hasBegun;
    this.#rows.clear();
    for (const trade of [...given].sort(
      (one, other) => Number(one.timestamp) - Number(other.timestamp),
    )) {
      // prettier-ignore
      const id = textOf(trade.id) ?? `${String(trade.timestamp)} ${String(trade.price)} ${String(trade.amount)}`; // prettier-ignore
      if (this.#known.has(id)) continue;
      this.#know(id);
      const at = Number(trade.timestamp) * US_PER_MS;
      const isMissed = at >= this.#lastTradeAt;
      this.#lastTradeAt = Math.max(this.#lastTradeAt, at || 0);
      if (isFirst || !isMissed) continue;
      const ticks = this.#readers.price.read(trade.price);
      const lots = this.#readers.size.read(trade.amount);
      const isRead = Number.isSafeInteger(at) && ticks > 0 && lots > 0;
      if (!isRead || (trade.side !== 'buy' && trade.side !== 'sell')) {
        throw unreadable('trade', this.#wanted);
      }
      const flags = trade.side === 'sell' ? SELL | LAST : LAST;
      this.#rows.add(now, at, TRADE, flags, sequenceOf(trade.id), ticks, lots, 0, 0, 0);
    }
    this.#emit();
    this.#found('trades');
  }

  #takeCandles(given: Rows): void {
    const { scheduler } = this.#setup;
    const now = scheduler.now();
    this.#rows.clear();
    for (const bar of this.#candles?.finished(given, now) ?? []) addBar(this.#rows, bar, now);
    this.#emit();
  }

  #takeBeside(given: Given, source: DerivativeSource): void {
    this.#rows.clear();
    this.#derivatives.take(given, source, this.#setup.scheduler.now(), this.#rows);
    this.#emit();
  }

  #know(id: string): void {
    this.#known.add(id);
    if (this.#known.size <= TRADES_MAX) return;
    for (const oldest of this.#known) {
      this.#known.delete(oldest);
      return;
    }
  }

  #emit(): void {
    if (this.#rows.length > 0) this.#listener.rows(this.#index, this.#rows.columns);
  }
}

/** Ids that are no numbers have no order. */
const sequenceOf = (id: unknown): number => {
  const text = textOf(id) ?? '';
  return String(numberOf(text)) === text ? numberOf(text) : 0;
};

const unreadable = (what: string, { instrument }: Wanted): MillraceError =>
  new MillraceError(
    'answer-invalid',
    `A ${what} of ${instrument.symbol} has a number that is none, or more digits than a number of ccxt can hold.`,
    { field: what },
  );
