import type { Refusal } from '../../model/refusals.ts';
import type { Checked } from './checked.ts';

/** Requests for orders in any second, a list being one and cancels none. */
export function orderRateRefusal({ view, limits }: Checked): Refusal | undefined {
  const limit = limits.maxOrdersPerSecond;
  if (limit === undefined || view.requestsInSecond < limit) return undefined;
  return {
    code: 'risk-order-rate',
    message: `${view.requestsInSecond} requests were sent in the last second, and ${limit} may be.`,
    limit: String(limit),
  };
}
