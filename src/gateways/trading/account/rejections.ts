import { MillraceError } from '../../../model/errors.ts';
import type { OrderRequest } from '../../../model/order-request.ts';
import type { Rejection, RejectionCode } from '../../../model/rejections.ts';
import type { ErrorMember } from '../../../wire/trading/error-body.ts';
import { errorClass } from '../../../wire/trading/error-codes.ts';
import { REJECTION_ERRORS } from '../../../wire/trading/rejections.ts';
import { ServiceError } from '../../http/service-error.ts';

/** Outcome of a request that failed. */
export type RequestOutcome =
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'outcome-unknown' };

/** A rejection by the simulated service of this process. */
export class RequestRejected extends MillraceError {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super('service-refused', rejection.message);
    this.rejection = rejection;
  }
}

/** The service's code for errors without their own code. */
const OTHER = 600;
const WORDS_MAX = 200;

/**
 * Rejection codes of the service's codes. If several reasons share one code, it is the least specific
 * (`request-invalid` for 10001).
 */
const CODES: ReadonlyMap<number, RejectionCode> = new Map(
  (Object.entries(REJECTION_ERRORS) as [RejectionCode, number][])
    .filter(([, code]) => code !== OTHER)
    .reverse()
    .map(([rejection, code]) => [code, rejection]),
);

interface RejectionText {
  readonly serviceCode: number | undefined;
  readonly serviceMessage: string;
  readonly description?: string | undefined;
}

/**
 * A rejection with the service's text, at most 200 characters of it. `isUnavailable`: it is not about the
 * request, as the service answers none now.
 */
function rejectionOf(
  { serviceCode, serviceMessage, description }: RejectionText,
  isUnavailable: boolean,
): Rejection {
  const other = isUnavailable ? 'venue-unavailable' : 'venue-refused';
  const code = CODES.get(serviceCode ?? OTHER) ?? other;
  const number = serviceCode === undefined ? '' : ` (${serviceCode})`;
  const more = description === undefined || description === '' ? '' : `: ${description}`;
  const words = `${serviceMessage}${number}${more}`;
  const message = words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX - 1)}…` : words;
  return { code, message };
}

/**
 * Outcome of a trading request by its error. Only a request that was surely not done is rejected: the
 * service rejected it, or nothing left. Any other error, an unreadable answer too, leaves the outcome
 * unknown.
 */
export function outcomeOf(error: unknown): RequestOutcome {
  if (!(error instanceof MillraceError)) return { kind: 'outcome-unknown' };
  if (error instanceof RequestRejected) return { kind: 'rejected', rejection: error.rejection };
  const { code, message } = error;
  if (code === 'outcome-unknown' || code === 'answer-invalid') return { kind: 'outcome-unknown' };
  if (error instanceof ServiceError) {
    return { kind: 'rejected', rejection: rejectionOf(error, code === 'service-unavailable') };
  }
  const unsent = UNSENT[code as keyof typeof UNSENT];
  if (unsent === undefined) return { kind: 'outcome-unknown' };
  return { kind: 'rejected', rejection: { code: unsent, message } };
}

/** Errors with which nothing left. */
const UNSENT = {
  unreachable: 'venue-unreachable',
  // Its permit within the limits of the service did not come.
  'rate-limited': 'venue-unreachable',
  'request-invalid': 'request-invalid',
  'symbol-unknown': 'symbol-unknown',
} as const satisfies Record<string, RejectionCode>;

/** The service's late rejection of a request with an unknown outcome; nothing if it stays unknown. */
export function lateRejection({ code, message, description }: ErrorMember): Rejection | undefined {
  if (errorClass(code) === 'outcome-unknown') return undefined;
  const words = { serviceCode: code, serviceMessage: message, description };
  return rejectionOf(words, errorClass(code) === 'unavailable');
}

/**
 * A rejection as the answer to a request: the service has one code for a missing margin account and a
 * missing position, and for a reduce-only order it is the position.
 */
export function rejectionTo(request: OrderRequest, rejection: Rejection): Rejection {
  if (rejection.code !== 'margin-account-unknown') return rejection;
  const orders = request.kind === 'placeList' ? request.orders : [request];
  const isReducing = orders.some(
    (one) =>
      'margin' in one &&
      typeof one.margin === 'object' &&
      (one.margin.reduceOnly === true || one.margin.closePosition === true),
  );
  return isReducing ? { ...rejection, code: 'position-unknown' } : rejection;
}
