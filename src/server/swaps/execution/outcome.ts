import type { Rejection } from '../../../model/rejections.ts';
import { errorBody, rejectionStatus, type ErrorStatus } from '../../../wire/swaps/errors.ts';

/** Answer to a failed request. */
export interface Failure {
  readonly kind: 'failure';
  readonly status: ErrorStatus;
  readonly body: ReturnType<typeof errorBody>;
}

export const failure = (status: ErrorStatus, message: string): Failure => ({
  kind: 'failure',
  status,
  body: errorBody(status, message),
});

export const rejected = (rejection: Rejection): Failure =>
  failure(rejectionStatus(rejection), rejection.message);

export const isFailure = (outcome: unknown): outcome is Failure =>
  typeof outcome === 'object' &&
  outcome !== null &&
  'kind' in outcome &&
  outcome.kind === 'failure';
