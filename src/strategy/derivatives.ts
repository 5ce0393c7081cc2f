import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Micros } from '../platform/time.ts';

/** A derivative's mark or index price from the venue. */
export interface DerivativePrice {
  readonly instrument: Instrument;
  /** Time of receipt by the strategy. */
  readonly at: Micros;
  /** Time stamp of the venue. */
  readonly stampedAt: Micros;
  /** Exact; may be fractional in ticks. */
  readonly price: Decimal;
}

/** Rate of the coming funding: if it is positive, longs pay shorts. */
export interface FundingRate {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stampedAt: Micros;
  /** A fraction of the value at the mark price; exact. */
  readonly rate: Decimal;
  /** Payment time, if known. */
  readonly paidAt: Micros | undefined;
  /** Time between two payments in microseconds, if known; it may change. */
  readonly intervalUs: number | undefined;
}

/** Open interest of a derivative. */
export interface OpenInterest {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stampedAt: Micros;
  /** Exact; may be fractional in lots. */
  readonly size: Decimal;
}
