/**
 * Market events as columns, the form in which feeds pass them on. One row is one event; the rows of
 * one venue message are consecutive, and the last of them carries `LAST`.
 */

/** Kind of a row. The numbers are in recordings and never change. */
export const TRADE = 1;
/** A price level's new size; size 0 removes it. */
export const LEVEL = 2;
/** Best bid and ask with their sizes, size 0 if a side is empty. */
export const QUOTE = 3;
/** Empties the book; the levels of a snapshot follow. */
export const RESET = 4;
/** Data was missed: the book is stale until the next RESET. */
export const GAP = 5;
/** A finished candle. */
export const CANDLE = 6;
/**
 * Derivative data of a venue. No order executes by these rows: readers of the market skip every
 * kind above CANDLE (`isMarket`).
 */
/** Mark price, by which positions are valued, called and liquidated. */
export const MARK = 7;
/** Index price of the derivative's underlying. */
export const INDEX = 8;
/** Funding rate, and when it is paid. */
export const FUNDING = 9;
/** Open interest. */
export const OPEN_INTEREST = 10;

/** True for the kinds that make a market; false for derivative data. */
export const isMarket = (kind: number): boolean => kind <= CANDLE;

/** Flag of a row: sell side (a LEVEL of asks, a TRADE whose aggressor sold). */
export const SELL = 1;
/** Flag of a row: the last of its message, after which the book is complete. */
export const LAST = 2;

/**
 * Consecutive rows in the order of receipt. The arrays may be longer than `length` and are reused
 * for the next rows: copy what you keep.
 *
 * | row | price | size | askPrice | askSize |
 * | --- | --- | --- | --- | --- |
 * | TRADE | price | size | | |
 * | LEVEL | price | new size | | |
 * | QUOTE | bid | its size | ask | its size |
 * | CANDLE | close | volume | high | low, and `open` |
 * | MARK, INDEX | price | its part of a tick | | |
 * | FUNDING | rate | its rest | payment time | time of the payment after it |
 * | OPEN_INTEREST | its part of a lot | quantity | | |
 *
 * Mark and index prices may be between ticks and open interest between lots: their part of one more
 * step is in 1e-15. A rate is in 1e-9, its rest in 1e-18. `model/derivative.ts` reads and makes
 * these. Payment times are microseconds, 0 if unknown.
 *
 * Prices are ticks, sizes lots, times microseconds, all whole numbers held exactly in doubles.
 */
export interface EventColumns {
  length: number;
  readonly receivedAt: Float64Array;
  /** Time stamp of the venue; for a candle the start of its period. */
  readonly stampedAt: Float64Array;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  /** The venue's trade id or update id, 0 without one; rises within a kind. */
  readonly sequence: Float64Array;
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly askPrice: Float64Array;
  readonly askSize: Float64Array;
  /** Opening price of a CANDLE row, 0 in others. */
  readonly open: Float64Array;
}

/** Columns with room for `capacity` rows. */
export function eventColumns(capacity: number): EventColumns {
  return {
    length: 0,
    receivedAt: new Float64Array(capacity),
    stampedAt: new Float64Array(capacity),
    kind: new Uint8Array(capacity),
    flags: new Uint8Array(capacity),
    sequence: new Float64Array(capacity),
    price: new Float64Array(capacity),
    size: new Float64Array(capacity),
    askPrice: new Float64Array(capacity),
    askSize: new Float64Array(capacity),
    open: new Float64Array(capacity),
  };
}
