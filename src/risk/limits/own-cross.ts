import type { Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Ticks } from '../../model/units.ts';
import type { Checked } from './checked.ts';
import { freshMarket } from '../price.ts';
import { waitsForList, waitsForTrigger } from '../view.ts';
import { remainingLots } from './measures.ts';

/**
 * Rejects an order that would trade at once with an order of the same account, of any strategy: one
 * that crosses its price and finds too few lots at better prices, as far as the market is known. An
 * order that waits for a stop price or for another order is in no book; a post-only order takes
 * nothing.
 */
export function ownCrossRejection(checked: Checked): Rejection | undefined {
  const { requested, view, limits } = checked;
  if (!limits.preventOwnCross) return undefined;
  for (const [index, order] of requested.entries()) {
    if (waits(order) || order.postOnly) continue;
    const rival = [...view.accountOrders, ...requested.slice(0, index)].find((other) =>
      meet(order, other, checked),
    );
    if (rival === undefined) continue;
    return {
      code: 'risk-own-cross',
      field: 'price',
      message: `The ${order.side} of ${order.symbol} would trade with ${rival.clientOrderId}, a ${rival.side} of the same account.`,
    };
  }
  return undefined;
}

/**
 * Whether a new order crosses the price of an own one, as a market order crosses every price, and gets
 * there: what others show at better prices is taken first.
 */
function meet(order: Order, other: Order, { view, limits }: Checked): boolean {
  const { symbol, side } = order;
  const { ticks } = other;
  if (other.symbol !== symbol || other.side === side || ticks === undefined) return false;
  if (waits(other) || !crosses(order, ticks)) return false;
  const before = freshMarket(symbol, view, limits)?.lotsBefore?.(side, ticks) ?? 0;
  return before < remainingLots(order);
}

const crosses = ({ side, ticks }: Order, price: Ticks): boolean =>
  ticks === undefined || (side === 'buy' ? ticks >= price : ticks <= price);

const waits = (order: Order): boolean => waitsForTrigger(order) || waitsForList(order);
