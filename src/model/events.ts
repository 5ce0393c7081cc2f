/**
 * Market events as columns, the form in which feeds hand them on. One row is one event; the rows
 * of one message of the venue follow each other and the last of them carries `LAST`.
 */

/** What a row is. The numbers stand in recordings and never change. */
export const TRADE = 1;
/** A price level now has this size; size 0 removes it. */
export const LEVEL = 2;
/** Best bid and ask with their sizes, size 0 where a side is empty. */
export const QUOTE = 3;
/** The book is emptied; the levels of a snapshot follow. */
export const RESET = 4;
/** Something was missed: the book is stale from here to the next RESET. */
export const GAP = 5;
/** A finished candle. */
export const CANDLE = 6;
/**
 * What a venue says of a derivative beside its market. No order executes by these rows: readers of the
 * market pass over every kind above CANDLE (`isMarket`).
 */
/** The mark price: by it positions are valued, called and liquidated. */
export const MARK = 7;
/** The index price: that of what the derivative is about. */
export const INDEX = 8;
/** The funding rate, and when it is paid. */
export const FUNDING = 9;
/** How much is open. */
export const OPEN_INTEREST = 10;

/** True for the kinds that make a market; false for what a venue says of a derivative beside it. */
export const isMarket = (kind: number): boolean => kind <= CANDLE;

/** Flag of a row: of the sell side (a LEVEL of asks, a TRADE whose aggressor sold). */
export const SELL = 1;
/** Flag of a row: the last of its message; a book is whole again after it. */
export const LAST = 2;

/**
 * A run of rows in the order in which they were received. The arrays may be longer than `length`
 * and are refilled for the next run: what is to be kept is copied.
 *
 * | row | price | size | askPrice | askSize |
 * | --- | --- | --- | --- | --- |
 * | TRADE | price | size | | |
 * | LEVEL | price | size now | | |
 * | QUOTE | bid | its size | ask | its size |
 * | CANDLE | close | volume | high | low, `open` beside them |
 * | MARK, INDEX | price | its part of a tick | | |
 * | FUNDING | rate | its rest | when it is paid | the payment after it |
 * | OPEN_INTEREST | its part of a lot | quantity | | |
 *
 * Mark and index prices lie between ticks and open interest between lots: beside the whole ones stands
 * their part of one more, in 1e-15. A rate is in 1e-9, its rest in 1e-18. `model/derivative.ts` reads and
 * makes these. Times of payments are microseconds, 0 where they are not known.
 *
 * Prices are ticks, sizes lots, times microseconds, all whole numbers held exactly in doubles.
 */
export interface EventColumns {
  length: number;
  readonly receivedAt: Float64Array;
  /** When the venue stamped it; for a candle the start of its period. */
  readonly stampedAt: Float64Array;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  /** The venue's trade id or update id, 0 where it gives none; rises within a kind. */
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
