import type { Order } from '../../model/order.ts';
import type { OrderStore } from './order-store.ts';

/** Takes over orders of a run before this one, and the lists that they make up. */
export function restoreOrders(store: OrderStore, restored: readonly Order[]): void {
  for (const order of restored) store.add(order);
  restoreLists(store, restored);
}

/** Rebuilds the lists of orders in the store, given all their orders. */
export function restoreLists(store: OrderStore, orders: readonly Order[]): void {
  const lists = new Map<string, Order[]>();
  for (const order of orders) {
    const { orderListId, listIndex, replacedBy } = order;
    // A replacement is in the list once it has replaced, and the replaced order no longer is.
    if (orderListId === undefined || listIndex === undefined || replacedBy !== undefined) continue;
    if (isVain(order, orders)) continue;
    const members = lists.get(orderListId) ?? [];
    members[listIndex] = order;
    lists.set(orderListId, members);
  }
  for (const [orderListId, members] of lists) {
    const present = members.filter((order) => order !== undefined);
    const contingencyType = present[0]?.contingencyType;
    if (contingencyType === undefined) continue;
    store.keepList(orderListId, contingencyType, present);
  }
}

/** True for a replacement that was not done, or not yet. */
const isVain = ({ clientOrderId, replaces }: Order, restored: readonly Order[]): boolean => {
  const replaced = restored.find((order) => order.clientOrderId === replaces);
  return replaced !== undefined && replaced.replacedBy !== clientOrderId;
};
