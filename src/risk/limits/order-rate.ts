import type { Rejection } from '../../model/rejections.ts';
import type { Checked } from './checked.ts';

/** Order requests in any second, a list counting as one and cancels not. */
export function orderRateRejection({ view, limits }: Checked): Rejection | undefined {
  const limit = limits.maxOrdersPerSecond;
  if (limit === undefined || view.requestsInSecond < limit) return undefined;
  return {
    code: 'risk-order-rate',
    message: `${view.requestsInSecond} requests were sent in the last second, and ${limit} may be.`,
    limit: String(limit),
  };
}
