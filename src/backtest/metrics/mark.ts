import { Amount } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import { DepthFeed } from '../../model/depth-feed.ts';
import { CANDLE, QUOTE, TRADE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { ValuationPrice } from '../../model/valuation-price.ts';

/**
 * The price at which holdings are valued, by the rule of `ValuationPrice`, from the rows of a feed.
 *
 * It also keeps how far the price went since two readers last looked: the candle of the chart, and
 * the excursion of open round trips.
 */
export class Mark {
  readonly instrument: Instrument;
  /** The first price that the market showed, NaN until then. */
  firstHalfTicks = Number.NaN;
  readonly #value = new ValuationPrice();
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

  /** True from the open of a candle until its path or its end shows the rest of it. */
  isInCandle = false;
  /** Its high, low and close. */
  readonly #rest = new Float64Array(3);
  readonly #half: Decimal;
  readonly #halfAmount: Amount;
  /** While nothing but levels tells a price. */
  #feed: DepthFeed | undefined;

  /** `hasLevels` says that the feed has a book, which is kept until there are trades or quotes. */
  constructor(instrument: Instrument, hasLevels = false) {
    this.instrument = instrument;
    this.#feed = hasLevels ? new DepthFeed() : undefined;
    this.#half = instrument.tickSize.times('0.5');
    this.#halfAmount = Amount.of(this.#half);
  }

  /** The price in half ticks; NaN until the market has shown one. */
  get halfTicks(): number {
    return this.#value.halfTicks;
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
      this.#feed = undefined;
      this.#value.trade(columns.price[row]);
      this.#show();
    } else if (kind === QUOTE) {
      this.#feed = undefined;
      if (columns.size[row] > 0 && columns.askSize[row] > 0) {
        this.#quote(columns.price[row], columns.askPrice[row]);
      }
    } else if (kind === CANDLE) {
      this.#feed = undefined;
      this.candlePeriodUs = columns.receivedAt[row] - columns.stampedAt[row];
      this.candleLots = columns.size[row];
      this.candlePath(columns.open[row]);
      this.#rest[0] = columns.askPrice[row];
      this.#rest[1] = columns.askSize[row];
      this.#rest[2] = columns.price[row];
      this.isInCandle = true;
    } else if (this.#feed !== undefined) this.#follow(this.#feed, columns, row);
  }

  /** The next price on the path of the candle, by the venue that follows it to its close. */
  candlePath(ticks: number): void {
    this.isInCandle = false;
    this.#value.candle(ticks);
    this.#show();
  }

  /** The venue has taken the row in. */
  rowEnds(): void {
    if (!this.isInCandle) return;
    this.isInCandle = false;
    for (const ticks of this.#rest) this.candlePath(ticks);
  }

  /** The last price as a decimal; exact. `undefined` until the market has shown one. */
  price(): Decimal | undefined {
    return this.#value.price(this.instrument);
  }

  /** The last price as an amount; exact. `undefined` until the market has shown one. */
  amount(): Amount | undefined {
    return this.#value.amount(this.instrument);
  }

  /** The amount of a number of half ticks; exact. */
  amountOf(halfTicks: number): Amount {
    return this.#halfAmount.timesCount(halfTicks);
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
    if (!stale) this.#quote(bids.ticksAt(0), asks.ticksAt(0));
  }

  #quote(bidTicks: number, askTicks: number): void {
    if (this.#value.quote(bidTicks, askTicks)) this.#show();
  }

  /** Notes the price as it is now. */
  #show(): void {
    const { halfTicks } = this.#value;
    if (Number.isNaN(this.firstHalfTicks)) {
      this.firstHalfTicks = halfTicks;
      this.openHalfTicks = halfTicks;
      this.highHalfTicks = halfTicks;
      this.lowHalfTicks = halfTicks;
    }
    if (halfTicks > this.highHalfTicks) this.highHalfTicks = halfTicks;
    if (halfTicks < this.lowHalfTicks) this.lowHalfTicks = halfTicks;
    if (halfTicks > this.excursionHigh) this.excursionHigh = halfTicks;
    if (halfTicks < this.excursionLow) this.excursionLow = halfTicks;
  }
}
