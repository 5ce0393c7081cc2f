import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import type { Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';

/**
 * A published candle, finished or still open. Sums are BigInt, as those of a month can pass 2^53;
 * decimals are made on demand and are exact.
 */
export class MarketCandle {
  readonly instrument: Instrument;
  readonly period: Period;
  /** Start of the period; it holds trades with start ≤ time < start of the next. */
  readonly openedAt: Micros;
  readonly openTicks: Ticks;
  readonly highTicks: Ticks;
  readonly lowTicks: Ticks;
  readonly closeTicks: Ticks;
  readonly volumeLots: bigint;
  /** Sum of ticks × lots. */
  readonly value: bigint;

  constructor(
    instrument: Instrument,
    period: Period,
    openedAt: Micros,
    prices: {
      readonly open: Ticks;
      readonly high: Ticks;
      readonly low: Ticks;
      readonly close: Ticks;
    },
    volumeLots: bigint,
    value: bigint,
  ) {
    this.instrument = instrument;
    this.period = period;
    this.openedAt = openedAt;
    this.openTicks = prices.open;
    this.highTicks = prices.high;
    this.lowTicks = prices.low;
    this.closeTicks = prices.close;
    this.volumeLots = volumeLots;
    this.value = value;
  }

  get open(): Decimal {
    return this.instrument.price(this.openTicks);
  }

  get max(): Decimal {
    return this.instrument.price(this.highTicks);
  }

  get min(): Decimal {
    return this.instrument.price(this.lowTicks);
  }

  get close(): Decimal {
    return this.instrument.price(this.closeTicks);
  }

  /** Traded quantity, in the base currency. */
  get volume(): Decimal {
    return this.instrument.quantityIncrement.times(this.volumeLots.toString());
  }

  /** Sum of price × quantity, in the quote currency. */
  get volumeQuote(): Decimal {
    return this.instrument.tickValue.times(this.value.toString());
  }
}

/** A candle in another currency than its symbol's quote. */
export interface ConvertedCandle {
  readonly openedAt: Micros;
  readonly open: Decimal;
  readonly close: Decimal;
  readonly min: Decimal;
  readonly max: Decimal;
  /** In the base currency. */
  readonly volume: Decimal;
  readonly volumeQuote: Decimal;
}

/** Converts a candle at one rate, exactly. */
export function converted(candle: MarketCandle, rate: Decimal): ConvertedCandle {
  return {
    openedAt: candle.openedAt,
    open: candle.open.times(rate),
    close: candle.close.times(rate),
    min: candle.min.times(rate),
    max: candle.max.times(rate),
    volume: candle.volume,
    volumeQuote: candle.volumeQuote.times(rate),
  };
}
