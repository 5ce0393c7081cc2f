import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import type { Micros } from '../../platform/time.ts';
import { BookSource } from './book-source.ts';
import { Candles } from './candles.ts';
import { converted, type ConvertedCandle, type MarketCandle } from './market-candle.ts';
import { sizesOf, type MarketDataListener, type MarketDataOptions } from './options.ts';
import type { Page } from './page.ts';
import { PriceRates } from './price-rates.ts';
import { PublicBook } from './public-book.ts';
import { PublicTrades, type PublicTrade, type TradePage } from './public-trades.ts';
import { RateHistory } from './rate-history.ts';
import { RollingDay } from './rolling-day.ts';
import { SampledSeries, type SampledCandle } from './sampled-series.ts';
import { ticker, type Ticker } from './ticker.ts';
import type { Book } from '../book/book.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';

export type { MarketDataListener, MarketDataOptions } from './options.ts';

/** Sampled values of a futures contract. */
export const SAMPLED = ['index', 'mark', 'premiumIndex', 'openInterest'] as const;
export type Sampled = (typeof SAMPLED)[number];

/** Published data of one instrument. */
interface Sheet {
  readonly instrument: Instrument;
  readonly trades: PublicTrades;
  readonly day: RollingDay;
  readonly candles: Candles;
  readonly series: Readonly<Record<Sampled, SampledSeries>>;
}

/**
 * Public data of an exchange: trades, last prices, candles, tickers, order books and price rates,
 * all exact. The exchange passes trades; its books and recorded markets mark where sizes may have
 * changed; the rest is read on demand.
 */
export class MarketData {
  readonly books: readonly PublicBook[];
  readonly rates: PriceRates;
  readonly #sheets: readonly Sheet[];
  readonly #history: RateHistory;
  readonly #listener: MarketDataListener | undefined;
  /** Instruments whose books may have changed, each once. */
  readonly #dirty: Int32Array;
  readonly #isDirty: Uint8Array;
  #dirtyCount = 0;
  #now = 0;

  /**
   * Throws `out-of-range` for sizes that are not whole numbers from 1, and `currency-unknown` for
   * rates in a currency of no spot symbol.
   */
  constructor(
    instruments: readonly Instrument[],
    sources: readonly BookSource[],
    options: MarketDataOptions = {},
  ) {
    const { tradesKept, candlesKept, bookChangesKept, everyUs } = sizesOf(options);
    this.#listener = options.listener;
    this.#sheets = instruments.map((instrument) => ({
      instrument,
      trades: new PublicTrades(tradesKept),
      day: new RollingDay(),
      candles: new Candles(instrument, candlesKept),
      series: {
        index: new SampledSeries(candlesKept),
        mark: new SampledSeries(candlesKept),
        premiumIndex: new SampledSeries(candlesKept),
        openInterest: new SampledSeries(candlesKept),
      },
    }));
    this.books = sources.map(
      (source, instrument) =>
        new PublicBook(source, bookChangesKept, () => {
          this.#mark(instrument);
        }),
    );
    this.rates = new PriceRates(instruments, this.books);
    this.#history = new RateHistory(instruments, this.rates, this.books, {
      kept: candlesKept,
      everyUs,
      quotes: options.rates?.quotes,
    });
    this.#dirty = new Int32Array(instruments.length);
    this.#isDirty = new Uint8Array(instruments.length);
  }

  /** Advances time to `at`, before anything happens then. */
  advance(at: number): void {
    if (at <= this.#now) return;
    if (this.#dirtyCount > 0) this.publish(this.#now);
    this.#now = at;
    this.#history.advance(at);
  }

  /** Adds a trade whose aggressor is of `side`. Ids of an instrument rise and times never fall. */
  trade(
    instrument: number,
    id: number,
    ticks: number,
    lots: number,
    side: number,
    at: number,
  ): void {
    const sheet = this.#sheets[instrument];
    sheet.trades.add(id, ticks, lots, side, at);
    sheet.day.trade(at, ticks, lots);
    sheet.candles.trade(at, ticks, lots);
    this.#listener?.trade(instrument, id, ticks, lots, side, at);
  }

  /** Publishes the books that an operation changed. */
  publish(at: number): void {
    for (let i = 0; i < this.#dirtyCount; i += 1) {
      const instrument = this.#dirty[i];
      if (this.books[instrument].publish(at)) this.#listener?.book(instrument);
      this.#isDirty[instrument] = 0;
    }
    this.#dirtyCount = 0;
  }

  /** A page of the public trades that are kept. */
  trades(instrument: number, page: TradePage): PublicTrade[] {
    return this.#sheets[instrument].trades.query(page);
  }

  /** The last trade, undefined before the first. */
  lastTrade(instrument: number): PublicTrade | undefined {
    return this.#sheets[instrument].trades.last();
  }

  /** The ticker at a time, not before the latest event. */
  ticker(instrument: number, at: Micros): Ticker {
    const { instrument: terms, day, trades } = this.#sheets[instrument];
    day.age(at);
    return ticker(terms, day, this.books[instrument], trades.last()?.id, at);
  }

  /** A page of the candles that are kept, the open one included. */
  candles(instrument: number, period: Period, page: Page): MarketCandle[] {
    return this.#sheets[instrument].candles.query(period, page);
  }

  /**
   * A page of candles with prices and quote volume in another currency: each at the last rate of
   * its period. Candles of periods without a rate are not in the page.
   */
  convertedCandles(
    instrument: number,
    currency: string,
    period: Period,
    page: Page,
  ): ConvertedCandle[] {
    const { quoteCurrency } = this.#sheets[instrument].instrument;
    return this.candles(instrument, period, page).flatMap((candle) => {
      const rate = this.#history.closeOf(quoteCurrency, currency, period, candle.openedAt);
      return rate === undefined ? [] : [converted(candle, rate)];
    });
  }

  /** Value of one unit of a currency in another now; undefined if it is not known. */
  rate(from: string, to: string): Decimal | undefined {
    return this.rates.rate(from, to);
  }

  /** Candles of a price rate. */
  rateHistory(from: string, to: string, period: Period, page: Page): SampledCandle[] {
    return this.#history.query(from, to, period, page, this.#now as Micros);
  }

  /** Series of a sampled futures value. */
  series(instrument: number, name: Sampled): SampledSeries {
    return this.#sheets[instrument].series[name];
  }

  #mark(instrument: number): void {
    if (this.#isDirty[instrument] === 1) return;
    this.#isDirty[instrument] = 1;
    this.#dirty[this.#dirtyCount] = instrument;
    this.#dirtyCount += 1;
  }
}

/** Creates market data fed by books and recorded markets; undefined without options. */
export function published(
  instruments: readonly Instrument[],
  books: readonly Book[],
  tapes: readonly RecordedMarket[],
  options: MarketDataOptions | undefined,
): MarketData | undefined {
  if (options === undefined) return undefined;
  const sources = books.map((book, index) => new BookSource(book, tapes[index]));
  const data = new MarketData(instruments, sources, options);
  data.books.forEach(({ changed }, instrument) => {
    for (const side of [BUY, SELL]) {
      books[instrument].sides[side].changed = changed[side];
      tapes[instrument].sides[side].changed = changed[side];
    }
  });
  return data;
}
