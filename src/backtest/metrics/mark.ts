import type { Decimal } from '../../model/decimal.ts';
import { DepthFeed } from '../../model/depth-feed.ts';
import { CANDLE, QUOTE, TRADE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';

/**
 * The price at which holdings are valued: the last trade or candle close, and the middle of the
 * best quote until there is one. In half ticks, which hold a middle exactly.
 *
 * It also keeps how far the price went since two readers last looked: the candle of the chart, and
 * the excursion of open round trips.
 */
export class Mark {
  readonly instrument: Instrument;
  /** NaN until the market has shown a price. */
  halfTicks = Number.NaN;
  /** The first price that the market showed, NaN until then. */
  firstHalfTicks = Number.NaN;
  #traded = false;
  /** When the latest row was received, whatever it was; NaN before the first. */
  seenAt = Number.NaN;
  /** Of the last candle: how long it was, 0 before the first, and its volume. */
  candlePeriodUs = 0;
  candleLots = 0;

  /** Open, high and low since `startCandle`. */
  openHalfTicks = Number.NaN;
  highHalfTicks = Number.NaN;
  lowHalfTicks = Number.NaN;

  /** Extremes since `startExcursion`. */
  excursionHigh = Number.NEGATIVE_INFINITY;
  excursionLow = Number.POSITIVE_INFINITY;

  /** High, low and close of a candle that has begun, and true until its path or its end shows them. */
  readonly #rest = new Float64Array(3);
  #isCandle = false;
  readonly #half: Decimal;
  /** Only where nothing but levels tells a price. */
  readonly #feed: DepthFeed | undefined;

  /** `levelsOnly` says that the feed has neither trades nor quotes nor candles, so that a book must be kept. */
  constructor(instrument: Instrument, levelsOnly = false) {
    this.instrument = instrument;
    this.#feed = levelsOnly ? new DepthFeed() : undefined;
    this.#half = instrument.tickSize.times('0.5');
  }

  /** Takes in one row of the feed, of which nobody fills anything. */
  observe(columns: EventColumns, row: number): void {
    this.rowBegins(columns, row);
    this.rowEnds();
  }

  /**
   * Takes in one row of the feed before the venue does. Of a candle it is the open: what else the
   * candle shows comes by its path, so that a fill lies between what was before it and after.
   */
  rowBegins(columns: EventColumns, row: number): void {
    const kind = columns.kind[row];
    if (kind === TRADE) {
      this.#traded = true;
      this.#show(2 * columns.price[row]);
    } else if (kind === QUOTE) {
      if (!this.#traded && columns.size[row] > 0 && columns.askSize[row] > 0) {
        this.#show(columns.price[row] + columns.askPrice[row]);
      }
    } else if (kind === CANDLE) {
      this.#traded = true;
      this.candlePeriodUs = columns.receivedAt[row] - columns.stampedAt[row];
      this.candleLots = columns.size[row];
      this.#show(2 * columns.open[row]);
      this.#rest[0] = columns.askPrice[row];
      this.#rest[1] = columns.askSize[row];
      this.#rest[2] = columns.price[row];
      this.#isCandle = true;
    } else if (this.#feed !== undefined) this.#follow(this.#feed, columns, row);
  }

  /** The next price on the path of the candle, by the venue that follows it to its close. */
  candlePath(ticks: number): void {
    this.#isCandle = false;
    this.#show(2 * ticks);
  }

  /** The venue has taken the row in. */
  rowEnds(): void {
    if (!this.#isCandle) return;
    this.#isCandle = false;
    for (const ticks of this.#rest) this.#show(2 * ticks);
  }

  /** The last price as a decimal; exact. `undefined` until the market has shown one. */
  price(): Decimal | undefined {
    return Number.isNaN(this.halfTicks) ? undefined : this.#half.times(this.halfTicks);
  }

  /** The decimal of a number of half ticks; exact. */
  decimalOf(halfTicks: number): Decimal {
    return this.#half.times(halfTicks);
  }

  /** Measuring starts here: what the price did before is forgotten. */
  begin(): void {
    this.firstHalfTicks = this.halfTicks;
    this.startCandle();
    this.startExcursion();
  }

  /** The next candle opens where the last one closed. */
  startCandle(): void {
    this.openHalfTicks = this.halfTicks;
    this.highHalfTicks = this.halfTicks;
    this.lowHalfTicks = this.halfTicks;
  }

  /** The next excursion starts with the next price. */
  startExcursion(): void {
    this.excursionHigh = Number.NEGATIVE_INFINITY;
    this.excursionLow = Number.POSITIVE_INFINITY;
  }

  #follow(feed: DepthFeed, columns: EventColumns, row: number): void {
    if (!feed.apply(columns, row)) return;
    const { bids, asks, stale } = feed.depth;
    if (!stale && bids.length > 0 && asks.length > 0) this.#show(bids.ticksAt(0) + asks.ticksAt(0));
  }

  #show(halfTicks: number): void {
    if (Number.isNaN(this.halfTicks)) {
      this.firstHalfTicks = halfTicks;
      this.openHalfTicks = halfTicks;
      this.highHalfTicks = halfTicks;
      this.lowHalfTicks = halfTicks;
    }
    this.halfTicks = halfTicks;
    if (halfTicks > this.highHalfTicks) this.highHalfTicks = halfTicks;
    if (halfTicks < this.lowHalfTicks) this.lowHalfTicks = halfTicks;
    if (halfTicks > this.excursionHigh) this.excursionHigh = halfTicks;
    if (halfTicks < this.excursionLow) this.excursionLow = halfTicks;
  }
}
