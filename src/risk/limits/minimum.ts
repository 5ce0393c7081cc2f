import type { Rejection } from '../../model/rejections.ts';
import { openingMinimumRejection } from '../../rules/minimum.ts';
import { freshMarket } from '../price.ts';
import type { Checked } from './checked.ts';

/**
 * The least quantity and value that the venue takes, of each order that opens something. A replacement is left to the
 * venue: what it replaces was large enough, so that a smaller one only lowers what is at risk.
 */
export function minimumRejection({ asked, view, limits }: Checked): Rejection | undefined {
  for (const order of asked) {
    if (order.replaces !== undefined) continue;
    const { symbol } = order;
    // Without a market that is known, and not old, an order without a price is the venue's to value.
    const halfTicks = freshMarket(symbol, view, limits)?.prices.reference ?? Number.NaN;
    const rejection = openingMinimumRejection(view.instrument(symbol), order, halfTicks / 2);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
