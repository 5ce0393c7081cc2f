import type { Decimal } from '../../model/decimal.ts';
import type { Micros } from '../../platform/time.ts';
import type { MarketCandle } from './market-candle.ts';

/** A candle in another currency than the quote of its symbol. */
export interface ConvertedCandle {
  readonly openedAt: Micros;
  readonly open: Decimal;
  readonly close: Decimal;
  readonly min: Decimal;
  readonly max: Decimal;
  /** In the base currency, as before. */
  readonly volume: Decimal;
  readonly volumeQuote: Decimal;
}

/** A candle at one rate, which keeps its shape; the products are exact. */
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
