import type { OrderStore } from '../../engine/orders/order-store.ts';
import type { OwnList } from '../../engine/orders/own-list.ts';
import { isOpen, type Order } from '../../model/order.ts';

/**
 * The orders to cancel so that all of these end, with the fewest requests: of a list that is to end as a
 * whole those alone that take the others along. What then does not go along is named by `cancelsNext`.
 */
export function cancels(orders: OrderStore, given: readonly Order[]): readonly Order[] {
  const wanted = new Set(given.map(({ clientOrderId }) => clientOrderId));
  const closed = new Set<OwnList>();
  return given.flatMap((order) => {
    const list = orders.listOf(order) ?? listOfFormerLife(orders, order);
    const isWhole =
      list?.orders.every((one) => !isOpen(one) || wanted.has(one.clientOrderId)) === true;
    if (list === undefined || !isWhole) return [order];
    if (closed.has(list)) return [];
    closed.add(list);
    return list.close();
  });
}

/**
 * The next orders to cancel of a list that is to end as a whole, where the venue did not know the one that
 * was to take the others along: it had filled or ended by itself.
 */
export function cancelsNext(orders: OrderStore, clientOrderId: string): readonly Order[] {
  const order = orders.find(clientOrderId);
  const list = order === undefined ? undefined : orders.listOf(order);
  return list?.isClosing === true ? list.closeOn() : [];
}

/** The list of an order that a former life sent, of its orders that are open; none without its first order. */
function listOfFormerLife(orders: OrderStore, order: Order): OwnList | undefined {
  const { orderListId, contingencyType } = order;
  if (orderListId === undefined || contingencyType === undefined) return undefined;
  const members = orders
    .open()
    .filter((one) => one.orderListId === orderListId)
    .sort((one, other) => (one.listIndex ?? 0) - (other.listIndex ?? 0));
  const [first] = members;
  if (first === undefined) return undefined;
  if (first.listIndex !== 0 && contingencyType === 'oneTriggerOther') return undefined;
  return orders.addList(orderListId, contingencyType, members);
}
