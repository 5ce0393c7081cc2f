import { ERROR_CODES, type ServiceErrorCode } from './error-codes.ts';

/** Why a message is refused, before anything was done with it: the error that goes back. */
export interface Fault {
  readonly code: ServiceErrorCode;
  readonly message: string;
  /** A sentence with the error and the expected value. */
  readonly description?: string;
  /** The member that broke the rule, as it is called on the wire: `orders[1].price`. */
  readonly member?: string;
}

/** The error of a code, with its message. */
export const fault = (code: ServiceErrorCode, description?: string, member?: string): Fault => ({
  code,
  message: ERROR_CODES[code].message,
  description,
  member,
});

/** The HTTP status that goes with the code of a fault. */
export const statusOf = (code: ServiceErrorCode): number => ERROR_CODES[code].status;

/** The parsed value, or its error. */
export type Decoded<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'fault'; readonly fault: Fault };

export const decoded = <T>(value: T): Decoded<T> => ({ kind: 'ok', value });
export const undecoded = (why: Fault): Decoded<never> => ({ kind: 'fault', fault: why });
