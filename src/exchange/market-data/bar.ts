import type { Instrument } from '../../model/instrument.ts';
import { periodEnd, periodStart, type Period } from '../../model/period.ts';
import type { Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { ExactSum } from './exact-sum.ts';
import { MarketCandle } from './market-candle.ts';

/** The open candle of a period, reused for the next period. */
export class Bar {
  readonly period: Period;
  openedAt = Number.NEGATIVE_INFINITY;
  /** End of its period; -Infinity before the first trade. */
  endsAt = Number.NEGATIVE_INFINITY;
  #open = 0;
  #high = 0;
  #low = 0;
  #close = 0;
  readonly #lots = new ExactSum();
  readonly #value = new ExactSum();

  constructor(period: Period) {
    this.period = period;
  }

  /** Whether there was a trade. */
  get isEmpty(): boolean {
    return this.endsAt === Number.NEGATIVE_INFINITY;
  }

  /** Starts the period that holds `at`, with its first trade. */
  begin(at: number, ticks: number, lots: number): void {
    this.#start(at);
    this.#open = ticks;
    this.#high = ticks;
    this.#low = ticks;
    this.add(ticks, lots);
  }

  /** Adds a trade of the period. */
  add(ticks: number, lots: number): void {
    if (ticks > this.#high) this.#high = ticks;
    if (ticks < this.#low) this.#low = ticks;
    this.#close = ticks;
    this.#lots.add(lots);
    this.#value.addProduct(ticks, lots);
  }

  /** Starts the period that holds a shorter bar, with that bar. */
  beginWith(part: Bar): void {
    this.#start(part.openedAt);
    this.#open = part.#open;
    this.#high = part.#high;
    this.#low = part.#low;
    this.merge(part);
  }

  /** Adds a shorter bar that follows all before. */
  merge(part: Bar): void {
    if (part.#high > this.#high) this.#high = part.#high;
    if (part.#low < this.#low) this.#low = part.#low;
    this.#close = part.#close;
    this.#lots.addSum(part.#lots);
    this.#value.addSum(part.#value);
  }

  /** Returns the candle so far. */
  candle(instrument: Instrument): MarketCandle {
    const prices = {
      open: this.#open as Ticks,
      high: this.#high as Ticks,
      low: this.#low as Ticks,
      close: this.#close as Ticks,
    };
    const { period, openedAt } = this;
    const [lots, value] = [this.#lots.value, this.#value.value];
    return new MarketCandle(instrument, period, openedAt as Micros, prices, lots, value);
  }

  /** Returns an independent copy. */
  copy(): Bar {
    const bar = new Bar(this.period);
    bar.beginWith(this);
    return bar;
  }

  #start(at: number): void {
    this.openedAt = periodStart(this.period, at as Micros);
    this.endsAt = periodEnd(this.period, at as Micros);
    this.#lots.clear();
    this.#value.clear();
  }
}
