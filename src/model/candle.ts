import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { CandlePeriod } from './period.ts';
import type { Lots, Ticks } from './units.ts';

/** What ends a bar that is no period of time. */
export type BarRule = 'tick' | 'volume' | 'value' | 'range';

/**
 * So much of a candle's period may be over when an order comes that still meets its high and low:
 * an answer to the candle before comes by its latency late.
 */
export const CANDLE_GRACE = 0.01;

/**
 * A finished candle. Whole ticks and lots are the truth, so that sums, averages and crosses are
 * exact; the decimals are made when asked for.
 */
export class Candle {
  readonly instrument: Instrument;
  /** What ends it: a period of time, or of a bar of trades the rule. */
  readonly period: CandlePeriod | BarRule;
  /** Start of the period; it holds events with start ≤ time < start of the next. */
  readonly openedAt: Micros;
  /** When it was finished: the end of the period. */
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
