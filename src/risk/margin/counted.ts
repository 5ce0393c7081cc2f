import type { Decimal } from '../../model/decimal.ts';
import type { Order } from '../../model/order.ts';
import { originOf } from '../counting.ts';
import { waitsForList } from '../view.ts';
import { isReducing } from './risk-position.ts';

/** An order with the value of one unit of it. */
export interface PricedOrder {
  readonly order: Order;
  readonly size: Decimal;
  readonly price: Decimal;
}

/**
 * Margin orders that can execute together and increase a position, oldest first: of orders that
 * exclude each other the most expensive of a side and position, and none that is reduce-only or
 * waits for the first order of its list.
 */
export function countedOrders(
  orders: readonly Order[],
  priced: (order: Order) => PricedOrder,
): readonly PricedOrder[] {
  const byId = new Map(orders.map((order) => [order.clientOrderId, order]));
  const groups = new Map<string, PricedOrder>();
  for (const order of orders) {
    const { margin, symbol, side } = order;
    if (margin === undefined || isReducing(order) || waitsForList(order)) continue;
    const pricedOrder = priced(order);
    const key = `${margin.mode} ${symbol} ${side} ${groupOf(order, byId)}`;
    const other = groups.get(key);
    if (other === undefined || valueOf(pricedOrder).greaterThan(valueOf(other)))
      groups.set(key, pricedOrder);
  }
  return [...groups.values()];
}

export const valueOf = ({ price, size }: PricedOrder): Decimal => price.times(size);

/** Common key of orders of which only one can execute. */
function groupOf(order: Order, byId: ReadonlyMap<string, Order>): string {
  const { orderListId = '', contingencyType, listIndex = 0 } = order;
  const isLeg =
    contingencyType === 'oneCancelOther' ||
    (contingencyType === 'oneTriggerOneCancelOther' && listIndex > 0);
  return isLeg ? `list ${orderListId}` : originOf(order, byId).clientOrderId;
}
