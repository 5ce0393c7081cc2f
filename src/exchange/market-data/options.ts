import { MillraceError } from '../../model/errors.ts';
import { US_PER_SECOND } from '../../platform/time.ts';

/** Receives market data. Arguments are numbers, so that nothing is allocated. */
export interface MarketDataListener {
  /** A trade; `side` is the aggressor's. */
  trade(
    instrument: number,
    id: number,
    ticks: number,
    lots: number,
    side: number,
    at: number,
  ): void;
  /** A book has a new update, that of its `sequence`. */
  book(instrument: number): void;
}

export interface RateHistoryOptions {
  /** Currencies in which all rates are kept; by default every quote currency of a spot symbol. */
  readonly quotes?: readonly string[];
  /** Time between two samples; one second. Samples are at multiples of it since 1970. */
  readonly everyUs?: number;
}

export interface MarketDataOptions {
  readonly listener?: MarketDataListener;
  /** Trades kept of each instrument; 100,000. The ticker keeps its 24 hours separately, in full. */
  readonly tradesKept?: number;
  /** Candles kept of each instrument and period; 10,000. */
  readonly candlesKept?: number;
  /** Least number of single-level changes kept of each book; 16,384. */
  readonly bookChangesKept?: number;
  readonly rates?: RateHistoryOptions;
}

/** Numbers of items kept, whole numbers from 1. */
export interface Sizes {
  readonly tradesKept: number;
  readonly candlesKept: number;
  readonly bookChangesKept: number;
  readonly everyUs: number;
}

/**
 * Sizes with their defaults. Throws `out-of-range` for a size that is not a whole number from 1.
 */
export function sizesOf(options: MarketDataOptions): Sizes {
  const { tradesKept = 100_000, candlesKept = 10_000, bookChangesKept = 16_384 } = options;
  const { everyUs = US_PER_SECOND } = options.rates ?? {};
  const sizes = { tradesKept, candlesKept, bookChangesKept, everyUs };
  for (const [field, value] of Object.entries(sizes)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new MillraceError('out-of-range', `${field} is ${value}; it is a whole number from 1.`, {
      field,
    });
  }
  return sizes;
}
