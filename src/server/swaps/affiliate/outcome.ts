import type { Rejection } from '../../../model/rejections.ts';
import {
  affiliateCode,
  type AffiliateEntity,
  type AffiliateError,
} from '../../../wire/swaps/affiliate/errors.ts';

/** Answer to a failed request; a class, so that it cannot be confused with a body. */
export class AffiliateFailure {
  readonly status: number;
  readonly body: AffiliateError;

  constructor(status: number, body: AffiliateError) {
    this.status = status;
    this.body = body;
  }
}

/** A failure without its own number: its code is the HTTP status. */
export const failure = (
  status: number,
  message: string,
  entity: AffiliateEntity,
): AffiliateFailure => new AffiliateFailure(status, { code: status, message, entity });

export function rejected(rejection: Rejection, entity: AffiliateEntity): AffiliateFailure {
  const { code, status } = affiliateCode(rejection);
  return new AffiliateFailure(status, { code, message: rejection.message, entity });
}
