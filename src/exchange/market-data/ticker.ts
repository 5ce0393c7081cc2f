import { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { PublicBook, TopOfBook } from './public-book.ts';
import type { RollingDay } from './rolling-day.ts';

/** Decimals of percentages. */
const PERCENT_PLACES = 4;

/** Ticker of an instrument: its best prices, and statistics of the 24 hours until `at`. */
export interface Ticker extends TopOfBook {
  readonly instrument: Instrument;
  readonly at: Micros;
  /** Price of the last trade, however old; undefined before the first. */
  readonly lastTicks: Ticks | undefined;
  /** Id of the last trade; undefined before the first. */
  readonly lastId: number | undefined;
  /**
   * Price 24 hours ago: of the last trade at or before then, else of the first after it; undefined
   * before the first.
   */
  readonly openTicks: Ticks | undefined;
  /** The price of the last trade if nothing was traded in 24 hours; undefined before the first. */
  readonly highTicks: Ticks | undefined;
  /** As `highTicks`. */
  readonly lowTicks: Ticks | undefined;
  /** In the base currency; exact. */
  readonly volume: Decimal;
  /** In the quote currency; exact. */
  readonly volumeQuote: Decimal;
  /** Last minus open, in ticks; undefined before the first trade. */
  readonly changeTicks: number | undefined;
  /** The same in percent of the open, to four decimals, a half towards zero. */
  readonly changePercent: Decimal | undefined;
}

/** Reads the ticker; the rolling day must be at `at`. */
export function ticker(
  instrument: Instrument,
  day: RollingDay,
  book: PublicBook,
  lastId: number | undefined,
  at: Micros,
): Ticker {
  const last = day.lastTicks;
  const traded = !Number.isNaN(last);
  const ticks = (value: number): Ticks | undefined =>
    traded ? ((Number.isNaN(value) ? last : value) as Ticks) : undefined;
  return {
    instrument,
    at,
    ...book.top(),
    lastTicks: ticks(last),
    lastId,
    openTicks: ticks(day.openTicks),
    highTicks: ticks(day.highTicks),
    lowTicks: ticks(day.lowTicks),
    volume: instrument.quantityIncrement.times(day.lots.toString()),
    volumeQuote: instrument.tickValue.times(day.value.toString()),
    changeTicks: traded ? last - day.openTicks : undefined,
    changePercent: traded ? percent(last - day.openTicks, day.openTicks) : undefined,
  };
}

const percent = (change: number, of: number): Decimal =>
  new Decimal(change).times(100).div(of).toDecimalPlaces(PERCENT_PLACES, Decimal.ROUND_HALF_DOWN);
