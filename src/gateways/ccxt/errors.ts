import { MillraceError, type ErrorCode } from '../../model/errors.ts';
import type { Rejection, RejectionCode } from '../../model/rejections.ts';
import { sanitize } from '../../model/plain-words.ts';

/** Outcome of a request that failed. */
export type RequestOutcome =
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'outcome-unknown' };

const WORDS_MAX = 200;

/**
 * Errors of ccxt that say that a request was not done, by their class or the nearest one above it. All
 * others leave it unknown: a `RequestTimeout` and network errors, an unreadable answer, and a bare
 * `ExchangeError`, which some classes also throw for a fault inside the venue.
 */
const REJECTED: Readonly<Record<string, RejectionCode>> = {
  InsufficientFunds: 'funds-insufficient',
  OrderNotFound: 'order-unknown',
  DuplicateOrderId: 'client-order-id-taken',
  InvalidOrder: 'request-invalid',
  BadSymbol: 'symbol-unknown',
  BadRequest: 'request-invalid',
  ArgumentsRequired: 'request-invalid',
  MarketClosed: 'symbol-suspended',
  OrderImmediatelyFillable: 'venue-refused',
  OrderNotFillable: 'venue-refused',
  ContractUnavailable: 'symbol-suspended',
  OperationRejected: 'venue-refused',
  NoChange: 'order-unchanged',
  NotSupported: 'venue-refused',
  AuthenticationError: 'venue-refused',
  InvalidNonce: 'venue-refused',
  RateLimitExceeded: 'venue-unavailable',
  DDoSProtection: 'venue-unavailable',
  OnMaintenance: 'venue-unavailable',
};

/** Codes of read errors, as of the other clients, by which a read is repeated or given up. */
const READING: Readonly<Record<string, ErrorCode>> = {
  RateLimitExceeded: 'rate-limited',
  DDoSProtection: 'rate-limited',
  ExchangeNotAvailable: 'service-unavailable',
  InvalidNonce: 'service-refused',
  NetworkError: 'unreachable',
  OperationFailed: 'service-unavailable',
  PermissionDenied: 'service-refused',
  AuthenticationError: 'login-refused',
  ExchangeError: 'service-refused',
};

/** The first entry for the class of an error or one above it. */
function byClass<T>(error: unknown, table: Readonly<Record<string, T>>): T | undefined {
  if (!(error instanceof Error)) return undefined;
  let made: unknown = error.constructor;
  while (typeof made === 'function' && made !== Error) {
    if (Object.hasOwn(table, made.name)) return table[made.name];
    made = Object.getPrototypeOf(made);
  }
  return undefined;
}

/** An error in one line; ccxt puts whole answers in its messages. */
export function errorText(error: unknown): string {
  const words = sanitize(error instanceof Error ? error.message : String(error));
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX - 1)}…` : words;
}

/**
 * Outcome of a trading request by an error of ccxt: only a request that was surely not done is rejected.
 */
export function outcomeOf(error: unknown): RequestOutcome {
  const code = byClass(error, REJECTED);
  if (code === undefined) return { kind: 'outcome-unknown' };
  return { kind: 'rejected', rejection: { code, message: errorText(error) } };
}

/** True if a venue says that it does not know an order. */
export const isUnknownOrder = (error: unknown): boolean =>
  byClass(error, { OrderNotFound: true, OrderNotCached: true }) === true;

/** Converts a read error; a fault of ccxt's own code is `answer-invalid`. */
export function readingError(error: unknown): MillraceError {
  if (error instanceof MillraceError) return error;
  const code = byClass(error, READING) ?? 'answer-invalid';
  return new MillraceError(code, errorText(error), { cause: error });
}

/** True if a venue says that a setting has the requested value already. */
export const isUnchanged = (error: unknown): boolean =>
  byClass(error, { NoChange: true, MarginModeAlreadySet: true }) === true;
