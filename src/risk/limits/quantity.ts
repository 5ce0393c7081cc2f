import { brief } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Checked } from './checked.ts';

/** The quantity of each order, of a replacement its new total. */
export function quantityRejection({ asked, view, limits }: Checked): Rejection | undefined {
  for (const { symbol, lots } of asked) {
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
