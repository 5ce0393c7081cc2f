import type { Refusal } from '../../../model/refusals.ts';
import { errorBody, refusalStatus, type ErrorStatus } from '../../../wire/swaps/errors.ts';

/** What a request is answered with where it failed. */
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

export const refused = (refusal: Refusal): Failure =>
  failure(refusalStatus(refusal), refusal.message);

export const isFailure = (outcome: unknown): outcome is Failure =>
  typeof outcome === 'object' &&
  outcome !== null &&
  'kind' in outcome &&
  outcome.kind === 'failure';
