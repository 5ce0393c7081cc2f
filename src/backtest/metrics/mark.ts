import { Amount } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import { CANDLE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { CANDLES, PRICE, TRADED, type InstrumentState } from '../../model/instrument-state.ts';
import { priceAmount, priceOf } from '../../model/prices.ts';

/**
 * Valuation price of holdings, by the rule of `Prices`, and within a candle the price on its path.
 *
 * It also records the range of the price since two readers last reset it: the candle of the chart,
 * and the excursion of open round trips.
 */
export class Mark {
  /** Changes of a state with which the market shows a price, even the same again. */
  static readonly SHOWN = TRADED | CANDLES | PRICE;
  readonly instrument: Instrument;
  /** First price of the market, NaN before it. */
  firstHalfTicks = Number.NaN;
  readonly #state: InstrumentState;
  /** Current price on the path of a candle, else NaN. */
  #pathHalfTicks = Number.NaN;
  /** Time of receipt of the latest row; NaN before the first. */
  seenAt = Number.NaN;
  /** Length of the last candle, 0 before the first, and its volume. */
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
  /** High, low and close of that candle. */
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

  /** The price in half ticks; NaN before the first. */
  get halfTicks(): number {
    const path = this.#pathHalfTicks;
    return Number.isNaN(path) ? this.#state.prices.valuation : path;
  }

  /** Applies one row of the feed that fills nothing. */
  observe(columns: EventColumns, row: number): void {
    if ((this.#state.take(columns, row) & Mark.SHOWN) !== 0) this.rowBegins(columns, row);
    this.rowEnds();
  }

  /**
   * Applies one row with a price before the venue does. For a candle that is the open: the rest
   * follows by its path, so that a fill is between earlier and later prices.
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

  /** Applies the next price on a candle's path, from the venue, which follows it to its close. */
  candlePath(ticks: number): void {
    this.isInCandle = false;
    // A trade is the later price.
    if (!this.#state.prices.followsTrades) this.#pathHalfTicks = 2 * ticks;
    this.#show();
  }

  /** Called after the venue has applied the row. */
  rowEnds(): void {
    if (this.isInCandle) for (const ticks of this.#rest) this.candlePath(ticks);
    this.#pathHalfTicks = Number.NaN;
  }

  /** The last price as a decimal; exact. `undefined` before the first. */
  price(): Decimal | undefined {
    return priceOf(this.instrument, this.halfTicks);
  }

  /** The last price as an amount; exact. `undefined` before the first. */
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

  /** Starts measuring: earlier prices are forgotten. */
  begin(): void {
    this.firstHalfTicks = this.halfTicks;
    this.startCandle();
    this.startExcursion();
  }

  /** Starts the next candle at the last close. */
  startCandle(): void {
    this.openHalfTicks = this.halfTicks;
    this.highHalfTicks = this.halfTicks;
    this.lowHalfTicks = this.halfTicks;
  }

  /** Starts the next excursion with the next price. */
  startExcursion(): void {
    this.excursionHigh = Number.NEGATIVE_INFINITY;
    this.excursionLow = Number.POSITIVE_INFINITY;
  }

  /** Adds the current price to the ranges. */
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
