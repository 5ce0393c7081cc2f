import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Micros } from '../platform/time.ts';

/** A price that a venue says of a derivative beside its market: its mark price, or its index. */
export interface DerivativePrice {
  readonly instrument: Instrument;
  /** When it reached the strategy. */
  readonly at: Micros;
  /** When the venue stamped it. */
  readonly stampedAt: Micros;
  /** Exact; it need not be a whole number of ticks. */
  readonly price: Decimal;
}

/** The rate of the coming funding: where it is positive, longs pay shorts. */
export interface FundingRate {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stampedAt: Micros;
  /** A fraction of the value at the mark price; exact. */
  readonly rate: Decimal;
  /** When it is paid, where that is known. */
  readonly paidAt: Micros | undefined;
  /** Time between two payments in microseconds, where that is known; it may change. */
  readonly intervalUs: number | undefined;
}

/** How much of a derivative is open. */
export interface OpenInterest {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stampedAt: Micros;
  /** Exact; it need not be a whole number of lots. */
  readonly size: Decimal;
}
