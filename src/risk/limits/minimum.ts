import type { Rejection } from '../../model/rejections.ts';
import { openingMinimumRejection } from '../../rules/minimum.ts';
import { freshMarket } from '../price.ts';
import type { Checked } from './checked.ts';

/**
 * The venue's least quantity and value, for each order that opens something. The venue decides
 * about a replacement: the replaced order was large enough, so a smaller one only lowers the risk.
 */
export function minimumRejection({ requested, view, limits }: Checked): Rejection | undefined {
  for (const order of requested) {
    if (order.replaces !== undefined) continue;
    const { symbol } = order;
    // Without a known and fresh market, the venue values an order without a price.
    const halfTicks = freshMarket(symbol, view, limits)?.prices.reference ?? Number.NaN;
    const rejection = openingMinimumRejection(view.instrument(symbol), order, halfTicks / 2);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
