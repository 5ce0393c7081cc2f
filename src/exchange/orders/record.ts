/**
 * Offsets of the fields of an order's record. A record is 16 doubles, two cache lines: doubles at
 * both ends, 12 integers between them. Offsets of the first group count doubles from the start of a
 * record, those of the second integers. Hot code copies them into constants of its own file, which
 * V8 inlines; imported ones are read at each use.
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

/** Indices in STATUS; from FILLED on an order has ended. */
export const STATUS_CODE = {
  NEW: 0,
  SUSPENDED: 1,
  PARTIALLY_FILLED: 2,
  FILLED: 3,
  CANCELED: 4,
  EXPIRED: 5,
} as const;

/** Bits of TERMS, from the lowest: side, type, time in force, post-only, margin flags. */
export const TERMS_BITS = {
  TYPE_BIT: 1,
  TIME_IN_FORCE_BIT: 4,
  POST_ONLY_BIT: 7,
  MARGIN_BIT: 8,
} as const;
