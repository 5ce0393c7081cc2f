import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { CandlePeriod } from './period.ts';
import type { Lots, Ticks } from './units.ts';

/** Rule that ends a bar which has no fixed period. */
export type BarRule = 'tick' | 'volume' | 'value' | 'range';

/**
 * Fraction of a candle's period after which a new order no longer meets its high and low. An order
 * that answers the candle before arrives late by its latency.
 */
export const CANDLE_GRACE = 0.01;

/**
 * A finished candle. It holds whole ticks and lots, so that sums, averages and crosses are exact;
 * decimals are made on demand.
 */
export class Candle {
  readonly instrument: Instrument;
  /** Its period, or the rule of a bar of trades. */
  readonly period: CandlePeriod | BarRule;
  /** Start of the period; it holds events with start ≤ time < start of the next. */
  readonly openedAt: Micros;
  /** Time it was finished: the end of the period. */
  readonly closedAt: Micros;
  readonly openTicks: Ticks;
  readonly highTicks: Ticks;
  readonly lowTicks: Ticks;
  readonly closeTicks: Ticks;
  readonly volumeLots: Lots;

  constructor(
    instrument: Instrument,
    period: CandlePeriod | BarRule,
    openedAt: Micros,
    closedAt: Micros,
    openTicks: Ticks,
    highTicks: Ticks,
    lowTicks: Ticks,
    closeTicks: Ticks,
    volumeLots: Lots,
  ) {
    this.instrument = instrument;
    this.period = period;
    this.openedAt = openedAt;
    this.closedAt = closedAt;
    this.openTicks = openTicks;
    this.highTicks = highTicks;
    this.lowTicks = lowTicks;
    this.closeTicks = closeTicks;
    this.volumeLots = volumeLots;
  }

  get open(): Decimal {
    return this.instrument.price(this.openTicks);
  }

  get high(): Decimal {
    return this.instrument.price(this.highTicks);
  }

  get low(): Decimal {
    return this.instrument.price(this.lowTicks);
  }

  get close(): Decimal {
    return this.instrument.price(this.closeTicks);
  }

  get volume(): Decimal {
    return this.instrument.size(this.volumeLots);
  }
}
