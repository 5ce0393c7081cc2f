import type { Refusal } from '../../model/refusals.ts';
import type { Checked } from './checked.ts';
import type { RiskOrder } from '../view.ts';

/**
 * No order that would trade at once with an order of the same account, whichever strategy's. What
 * waits for a stop price or for another order stands in no book; a post-only order takes nothing.
 */
export function ownCrossRefusal({ asked, view, limits }: Checked): Refusal | undefined {
  if (!limits.preventOwnCross) return undefined;
  for (const [index, order] of asked.entries()) {
    if (waits(order) || order.postOnly) continue;
    const rival = [...view.accountOrders, ...asked.slice(0, index)].find((other) =>
      meet(order, other),
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

/** Whether a new order would take an own one; a market order takes what there is. */
function meet(order: RiskOrder, other: RiskOrder): boolean {
  if (other.symbol !== order.symbol || other.side === order.side || waits(other)) return false;
  if (other.clientOrderId === order.replaces || other.ticks === undefined) return false;
  if (order.ticks === undefined) return true;
  return order.side === 'buy' ? order.ticks >= other.ticks : order.ticks <= other.ticks;
}

const waits = ({ suspended, inactive }: RiskOrder): boolean => suspended || inactive;
