import { z } from 'zod';
import type { Rejection } from '../../../model/rejections.ts';
import { rejectionStatus } from '../errors.ts';

/** The code of a permit2 approval whose owner has not approved the permit2 contract for the token. */
export const CODE_TOKEN_UNAPPROVED = 25;

/** Subject of an error of the Affiliate surface. */
export type AffiliateEntity =
  | 'request'
  | 'key'
  | 'network'
  | 'token'
  | 'quote'
  | 'intent'
  | 'approval'
  | 'history'
  | 'system';

/** An error of the Affiliate surface. */
export const affiliateError = z.object({
  /** 25, or the HTTP status if the service has no number of its own. */
  code: z.int(),
  message: z.string(),
  entity: z.string().nullish(),
});

export type AffiliateError = z.output<typeof affiliateError>;

/** The code and the HTTP status of a rejection. */
export function affiliateCode(rejection: Rejection): {
  readonly code: number;
  readonly status: number;
} {
  const status = rejectionStatus(rejection);
  return { code: rejection.code === 'token-unapproved' ? CODE_TOKEN_UNAPPROVED : status, status };
}
