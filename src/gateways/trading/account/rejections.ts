import { MillraceError } from '../../../model/errors.ts';
import type { OrderRequest } from '../../../model/order-request.ts';
import type { Rejection, RejectionCode } from '../../../model/rejections.ts';
import type { ErrorMember } from '../../../wire/trading/error-body.ts';
import { errorClass } from '../../../wire/trading/error-codes.ts';
import { REJECTION_ERRORS } from '../../../wire/trading/rejections.ts';
import { ServiceError } from '../../http/service-error.ts';

/** What became of a request that was not simply done. */
export type RequestOutcome =
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'outcome-unknown' };

/** The simulated service of this process said no. */
export class RequestRejected extends MillraceError {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super('service-refused', rejection.message);
    this.rejection = rejection;
  }
}

/** The service's code for whatever has no code of its own. */
const OTHER = 600;
const WORDS_MAX = 200;

/**
 * What each code of the service means here. Several reasons can have one code; then the first of them
 * stands for all, which is the one that says least (`request-invalid` for 10001).
 */
const CODES: ReadonlyMap<number, RejectionCode> = new Map(
  (Object.entries(REJECTION_ERRORS) as [RejectionCode, number][])
    .filter(([, code]) => code !== OTHER)
    .reverse()
    .map(([rejection, code]) => [code, rejection]),
);

interface Words {
  readonly serviceCode: number | undefined;
  readonly serviceMessage: string;
  readonly description?: string | undefined;
}

/**
 * A rejection in the service's own words, at most 200 letters of them. `isUnavailable`: it does not speak of
 * the request, the service answers none now.
 */
function rejectionOf(
  { serviceCode, serviceMessage, description }: Words,
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
 * What an error says about a request to trade. Only what surely was not done is a rejection: the service
 * said no, or nothing left. Whatever else went wrong, an answer that cannot be read too, leaves the outcome unknown.
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
  // Its turn within the limits of the service did not come.
  'rate-limited': 'venue-unreachable',
  'request-invalid': 'request-invalid',
  'symbol-unknown': 'symbol-unknown',
} as const satisfies Record<string, RejectionCode>;

/** What the service said to a request whose outcome was unknown; nothing if it stays so. */
export function lateRejection({ code, message, description }: ErrorMember): Rejection | undefined {
  if (errorClass(code) === 'outcome-unknown') return undefined;
  const words = { serviceCode: code, serviceMessage: message, description };
  return rejectionOf(words, errorClass(code) === 'unavailable');
}

/**
 * A rejection as the answer to a request: the service has one code for a missing margin account and for a missing
 * position, and for an order that can only reduce it is the position.
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
