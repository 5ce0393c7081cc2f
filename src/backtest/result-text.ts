/** An exact number as decimal text, never with an exponent. */
export type DecimalText = string;
/** A point in time, ISO 8601 in UTC, microseconds if there are any. */
export type TimeText = string;
