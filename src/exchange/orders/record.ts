/**
 * Where the fields of an order's record stand. A record is 16 doubles long, two lines of a cache:
 * doubles at both ends, 12 integers between them. Numbers up to 15 of the first group count doubles
 * from the start of a record, those of the second integers, twice as many. Who works through a record
 * takes what it needs of these into constants of its own file, which become part of the code that V8
 * makes, while those of others are read each time.
 */
export const FIELD = {
  LOTS: 0,
  REMAINING: 1,
  TICKS: 2,
  ID: 3,
  UPDATED_AT: 4,
  CREATED_AT: 5,
  EXPIRE_AT: 12,
  AHEAD_MARK: 13,
  PRINT_MARK: 14,
  RESTED_AT: 15,

  ACCOUNT: 12,
  INSTRUMENT: 13,
  FEE_SCHEDULE: 14,
  STATUS: 15,
  LEVEL: 16,
  NEXT: 17,
  PREVIOUS: 18,
  ACCOUNT_NEXT: 19,
  ACCOUNT_PREVIOUS: 20,
  TERMS: 21,
  NAME_HASH: 22,
  EXPIRY_PLACE: 23,
} as const;

/** The statuses as STATUS has them; from FILLED on an order has ended. */
export const STATUS_CODE = {
  NEW: 0,
  SUSPENDED: 1,
  PARTIALLY_FILLED: 2,
  FILLED: 3,
  CANCELED: 4,
  EXPIRED: 5,
} as const;

/** TERMS, from the lowest bit up: side, type, time in force, post-only, how it is on margin. */
export const TERMS_BITS = {
  TYPE_BIT: 1,
  TIME_IN_FORCE_BIT: 4,
  POST_ONLY_BIT: 7,
  MARGIN_BIT: 8,
} as const;
