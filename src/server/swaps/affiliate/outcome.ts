import type { Rejection } from '../../../model/rejections.ts';
import { affiliateCode, type AffiliateEntity } from '../../../wire/swaps/affiliate/errors.ts';
import { SwapFailure } from '../surface.ts';

/** A failure that has no number of its own: its code is the HTTP status. */
export const failure = (status: number, message: string, entity: AffiliateEntity): SwapFailure =>
  new SwapFailure(status, { code: status, message, entity });

/** What the service refused, by what it is about. */
export const rejectedOf =
  (entity: AffiliateEntity) =>
  (rejection: Rejection): SwapFailure => {
    const { code, status } = affiliateCode(rejection);
    return new SwapFailure(status, { code, message: rejection.message, entity });
  };
