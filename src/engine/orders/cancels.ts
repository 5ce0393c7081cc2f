import { isOpen, type Order } from '../../model/order.ts';
import type { OwnList } from './own-list.ts';
import type { StrategyOrders } from './strategy-orders.ts';

/**
 * Orders to cancel so that all of the given ones end, with the fewest requests: of a list that is
 * to end as a whole only those that end the others. If they do not, `cancelsNext` returns the rest.
 */
export function cancels(orders: StrategyOrders, given: readonly Order[]): readonly Order[] {
  const ids = new Set(given.map(({ clientOrderId }) => clientOrderId));
  const closed = new Set<OwnList>();
  return given.flatMap((order) => {
    const list = orders.listOf(order);
    const isWhole =
      list?.orders.every((each) => !isOpen(each) || ids.has(each.clientOrderId)) === true;
    if (list === undefined || !isWhole) return [order];
    if (closed.has(list)) return [];
    closed.add(list);
    return list.close('operator');
  });
}

/**
 * The next orders to cancel of a list that is to end as a whole, if the venue did not know the one
 * that was to end the others: it had filled or ended already.
 */
export function cancelsNext(orders: StrategyOrders, clientOrderId: string): readonly Order[] {
  const order = orders.find(clientOrderId);
  const list = order === undefined ? undefined : orders.listOf(order);
  return list?.isClosing === true ? list.closeOn() : [];
}
