import type { Rejection } from '../../model/rejections.ts';
import { count } from '../counting.ts';
import type { Checked } from './checked.ts';

/** Number of orders that would be open; an order and its replacement count as one. */
export function openOrdersRejection({ after, view, limits }: Checked): Rejection | undefined {
  const limit = limits.maxOpenOrders;
  if (limit === undefined) return undefined;
  const open = count(after);
  if (open <= limit || open <= count(view.orders)) return undefined;
  return {
    code: 'risk-open-orders',
    message: `${open} orders would be open, and ${limit} may be.`,
    limit: String(limit),
  };
}
