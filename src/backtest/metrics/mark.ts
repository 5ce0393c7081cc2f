import { Amount } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import { CANDLE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { CANDLES, PRICE, TRADED, type InstrumentState } from '../../model/instrument-state.ts';
import { priceAmount, priceOf } from '../../model/prices.ts';

/**
 * The price at which holdings are valued, by the rule of `Prices`, and within a candle the price
 * that its path has come to.
 *
 * It also keeps how far the price went since two readers last looked: the candle of the chart, and
 * the excursion of open round trips.
 */
export class Mark {
  /** Changes of a state by which the market shows a price, be it the same again. */
  static readonly SHOWN = TRADED | CANDLES | PRICE;
  readonly instrument: Instrument;
  /** The first price that the market showed, NaN until then. */
  firstHalfTicks = Number.NaN;
  readonly #state: InstrumentState;
  /** Where the path of the present candle has come to, NaN beside it. */
  #pathHalfTicks = Number.NaN;
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

  constructor(state: InstrumentState) {
    const { instrument } = state;
    this.instrument = instrument;
    this.#state = state;
    this.#half = instrument.tickSize.times('0.5');
    this.#halfAmount = Amount.of(this.#half);
  }

  /** The price in half ticks; NaN until the market has shown one. */
  get halfTicks(): number {
    const path = this.#pathHalfTicks;
    return Number.isNaN(path) ? this.#state.prices.valuation : path;
  }

  /** Takes in one row of the feed, of which nobody fills anything. */
  observe(columns: EventColumns, row: number): void {
    if ((this.#state.take(columns, row) & Mark.SHOWN) !== 0) this.rowBegins(columns, row);
    this.rowEnds();
  }

  /**
   * Takes in one row that showed a price to the state, before the venue does. Of a candle it is the
   * open: what else the candle shows comes by its path, so that a fill lies between what was before
   * it and after.
   */
  rowBegins(columns: EventColumns, row: number): void {
    if (columns.kind[row] === CANDLE) this.#candle(columns, row);
    else this.#show();
  }

  #candle(columns: EventColumns, row: number): void {
    this.candlePeriodUs = columns.receivedAt[row] - columns.stampedAt[row];
    this.candleLots = columns.size[row];
    this.candlePath(columns.open[row]);
    this.#rest[0] = columns.askPrice[row];
    this.#rest[1] = columns.askSize[row];
    this.#rest[2] = columns.price[row];
    this.isInCandle = true;
  }

  /** The next price on the path of the candle, by the venue that follows it to its close. */
  candlePath(ticks: number): void {
    this.isInCandle = false;
    // A trade that was seen is the later price.
    if (!this.#state.prices.followsTrades) this.#pathHalfTicks = 2 * ticks;
    this.#show();
  }

  /** The venue has taken the row in. */
  rowEnds(): void {
    if (this.isInCandle) for (const ticks of this.#rest) this.candlePath(ticks);
    this.#pathHalfTicks = Number.NaN;
  }

  /** The last price as a decimal; exact. `undefined` until the market has shown one. */
  price(): Decimal | undefined {
    return priceOf(this.instrument, this.halfTicks);
  }

  /** The last price as an amount; exact. `undefined` until the market has shown one. */
  amount(): Amount | undefined {
    return priceAmount(this.instrument, this.halfTicks);
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

  /** Notes the price as it is now. */
  #show(): void {
    const { halfTicks } = this;
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
