import type { Micros } from '../platform/time.ts';
import { Candle } from './candle.ts';
import { MillraceError } from './errors.ts';
import type { Instrument } from './instrument.ts';
import { periodEnd, periodStart, type CandlePeriod } from './period.ts';
import type { Lots, Ticks } from './units.ts';

/**
 * Builds the candles of one instrument and period from its trades. A period without a trade has no
 * candle, and a candle opens with the first trade of its period, not with the close before. Only
 * the finished candle is allocated.
 *
 * Times must not go backwards. A late trade counts to the open candle, or to the period after the
 * last finished one, so that candles stay unique and in order.
 */
export class CandleBuilder {
  readonly instrument: Instrument;
  readonly period: CandlePeriod;
  #open = false;
  /** End of the open period, or of the last finished one. */
  #endsAt = Number.NEGATIVE_INFINITY as Micros;
  #openedAt = 0 as Micros;
  #openTicks = 0 as Ticks;
  #highTicks = 0 as Ticks;
  #lowTicks = 0 as Ticks;
  #closeTicks = 0 as Ticks;
  #volumeLots = 0 as Lots;

  constructor(instrument: Instrument, period: CandlePeriod) {
    this.instrument = instrument;
    this.period = period;
  }

  /**
   * Adds a trade; returns the candle that it finishes as the first of a later period. Throws
   * `out-of-range` if the volume of a candle passes 2^53 lots.
   */
  trade(at: Micros, ticks: Ticks, lots: Lots): Candle | undefined {
    if (this.#open && at < this.#endsAt) {
      if (ticks > this.#highTicks) this.#highTicks = ticks;
      if (ticks < this.#lowTicks) this.#lowTicks = ticks;
      this.#closeTicks = ticks;
      this.#add(lots);
      return undefined;
    }
    const finished = this.advance(at);
    this.#start(at < this.#endsAt ? this.#endsAt : at, ticks, lots);
    return finished;
  }

  /** Advances time to `at`; returns the open candle if its period has ended by then. */
  advance(at: Micros): Candle | undefined {
    if (!this.#open || at < this.#endsAt) return undefined;
    this.#open = false;
    return new Candle(
      this.instrument,
      this.period,
      this.#openedAt,
      this.#endsAt,
      this.#openTicks,
      this.#highTicks,
      this.#lowTicks,
      this.#closeTicks,
      this.#volumeLots,
    );
  }

  #start(at: Micros, ticks: Ticks, lots: Lots): void {
    this.#open = true;
    this.#openedAt = periodStart(this.period, at);
    this.#endsAt = periodEnd(this.period, at);
    this.#openTicks = ticks;
    this.#highTicks = ticks;
    this.#lowTicks = ticks;
    this.#closeTicks = ticks;
    this.#volumeLots = lots;
  }

  #add(lots: Lots): void {
    const sum = this.#volumeLots + lots;
    if (sum > Number.MAX_SAFE_INTEGER) {
      throw new MillraceError(
        'out-of-range',
        `The volume of a ${this.period} candle of ${this.instrument.symbol} is beyond 2^53 lots; its quantity increment is too small for such volumes.`,
      );
    }
    this.#volumeLots = sum as Lots;
  }
}
