import { MillraceError, type ErrorCode } from '../../model/errors.ts';
import type { Rejection, RejectionCode } from '../../model/rejections.ts';
import { sanitize } from '../../model/plain-words.ts';

/** What became of a request that was not simply done. */
export type RequestOutcome =
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'outcome-unknown' };

const WORDS_MAX = 200;

/**
 * Errors of ccxt that say that a request was not done, by their class or the nearest one above it. All others
 * leave it unknown: a `RequestTimeout` and whatever the network did, an answer that cannot be read, and a bare
 * `ExchangeError`, as some classes throw it for a fault inside the venue too.
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

/** Errors of reading, in the words of the other clients, by which a reading is repeated or given up. */
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
export function wordsOf(error: unknown): string {
  const words = sanitize(error instanceof Error ? error.message : String(error));
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX - 1)}…` : words;
}

/** What an error of ccxt says about a request to trade: only what surely was not done is a rejection. */
export function outcomeOf(error: unknown): RequestOutcome {
  const code = byClass(error, REJECTED);
  if (code === undefined) return { kind: 'outcome-unknown' };
  return { kind: 'rejected', rejection: { code, message: wordsOf(error) } };
}

/** True where a venue says that it does not know an order. */
export const isUnknownOrder = (error: unknown): boolean =>
  byClass(error, { OrderNotFound: true, OrderNotCached: true }) === true;

/** An error of reading as one of Millrace; a fault of ccxt's own code is `answer-invalid`. */
export function readingError(error: unknown): MillraceError {
  if (error instanceof MillraceError) return error;
  const code = byClass(error, READING) ?? 'answer-invalid';
  return new MillraceError(code, wordsOf(error), { cause: error });
}

/** True where a venue says that a setting is as it was asked for already. */
export const isUnchanged = (error: unknown): boolean =>
  byClass(error, { NoChange: true, MarginModeAlreadySet: true }) === true;
