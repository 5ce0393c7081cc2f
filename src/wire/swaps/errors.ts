import { z } from 'zod';
import type { Rejection, RejectionCode } from '../../model/rejections.ts';

/** Kinds of errors of the Execution surface; `code` is the HTTP status. */
const ERROR_TYPES = {
  400: 'validation_error',
  401: 'unauthorized',
  404: 'not_found',
  413: 'validation_error',
  415: 'validation_error',
  422: 'unprocessable',
  429: 'rate_limited',
  500: 'internal_error',
} as const satisfies Record<number, string>;

export type ErrorStatus = keyof typeof ERROR_TYPES;

/** True for a status that the service has errors of. */
export const isErrorStatus = (status: number): status is ErrorStatus =>
  Object.hasOwn(ERROR_TYPES, status);

export const executionError = z.object({
  code: z.int(),
  type: z.string(),
  message: z.string(),
});

type ExecutionError = z.output<typeof executionError>;

/** The body of an error. */
export const errorBody = (status: ErrorStatus, message: string): ExecutionError => ({
  code: status,
  type: ERROR_TYPES[status],
  message,
});

const UNKNOWN: ReadonlySet<RejectionCode> = new Set(['intent-unknown']);
const MALFORMED: ReadonlySet<RejectionCode> = new Set([
  'request-invalid',
  'slippage-invalid',
  'public-key-missing',
]);

/** The HTTP status of a rejection by the swap service. */
export function rejectionStatus({ code }: Rejection): ErrorStatus {
  if (UNKNOWN.has(code)) return 404;
  return MALFORMED.has(code) ? 400 : 422;
}

/** The first error of a message, by the member: `body.from.address is required`. */
export function faultOf(error: z.ZodError, where = 'body'): string {
  const [issue] = error.issues;
  if (issue === undefined) return `${where} cannot be read`;
  return `${[where, ...issue.path].join('.')} ${issue.message}`;
}
