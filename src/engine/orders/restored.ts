import type { Order } from '../../model/order.ts';
import type { OrderStore } from './order-store.ts';

/** Takes over orders of a run before this one as plain orders, and the lists that they make up. */
export function restoreOrders(orders: OrderStore, restored: readonly Order[]): readonly Order[] {
  const own = restored.map((order) => asRestored(order));
  for (const order of own) orders.add(order);
  const lists = new Map<string, Order[]>();
  for (const order of own) {
    const { orderListId, listIndex, replacedBy } = order;
    // A replacement is in the list once it has replaced, and what it replaced no more.
    if (orderListId === undefined || listIndex === undefined || replacedBy !== undefined) continue;
    if (isVain(order, own)) continue;
    const members = lists.get(orderListId) ?? [];
    members[listIndex] = order;
    lists.set(orderListId, members);
  }
  for (const [orderListId, members] of lists) {
    const present = members.filter((one) => one !== undefined);
    const contingencyType = present[0]?.contingencyType;
    if (contingencyType === undefined) continue;
    orders.addList(orderListId, contingencyType, present);
  }
  return own;
}

/**
 * An order of a run before this one: fills that the venue counts are not waited for, and no target or
 * quote of that run keeps it any more.
 */
export const asRestored = (order: Order): Order => ({
  ...order,
  managed: false,
  settledLots: order.executedLots - order.receivedLots,
});

/** True for a replacement that was not done, or not yet. */
const isVain = ({ clientOrderId, replaces }: Order, restored: readonly Order[]): boolean => {
  const replaced = restored.find((one) => one.clientOrderId === replaces);
  return replaced !== undefined && replaced.replacedBy !== clientOrderId;
};
