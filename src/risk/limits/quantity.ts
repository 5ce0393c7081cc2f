import { brief } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Checked } from './checked.ts';

/** Quantity of each order, for a replacement its new total. */
export function quantityRejection({ requested, view, limits }: Checked): Rejection | undefined {
  for (const { symbol, lots } of requested) {
    const limit = limits.maxQuantity.get(symbol);
    if (limit === undefined) continue;
    const quantity = view.instrument(symbol).size(lots);
    if (!quantity.greaterThan(limit)) continue;
    return {
      code: 'risk-quantity',
      field: 'quantity',
      message: `A quantity of ${brief(quantity)} is more than the ${brief(limit)} that one order of ${symbol} may have.`,
      limit: brief(limit),
    };
  }
  return undefined;
}
