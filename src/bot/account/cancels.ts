import type { Orders } from '../../engine/orders/orders.ts';
import { OwnList } from '../../engine/orders/own-list.ts';
import type { OwnOrder } from '../../engine/orders/own-order.ts';

/**
 * The orders to cancel so that all of these end, with the fewest requests: of a list that is to end as a
 * whole those alone that take the others along. What then does not go along is named by `cancelsNext`.
 */
export function cancels(orders: Orders, given: readonly OwnOrder[]): readonly OwnOrder[] {
  const wanted = new Set(given);
  const closed = new Set<OwnList>();
  return given.flatMap((order) => {
    const list = orders.listOf(order) ?? listOfFormerLife(orders, order);
    const isWhole = list?.orders.every((one) => !one.isOpen || wanted.has(one)) === true;
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
export function cancelsNext(orders: Orders, clientOrderId: string): readonly OwnOrder[] {
  const order = orders.find(clientOrderId);
  const list = order === undefined ? undefined : orders.listOf(order);
  return list?.isClosing === true ? list.closeOn() : [];
}

/** The list of an order that a former life sent, of its orders that are open; none without its first order. */
function listOfFormerLife(orders: Orders, { membership }: OwnOrder): OwnList | undefined {
  if (membership === undefined) return undefined;
  const { orderListId, contingencyType } = membership;
  const members = [...orders.open()]
    .filter((one) => one.membership?.orderListId === orderListId)
    .sort((one, other) => indexOf(one) - indexOf(other));
  const [first] = members;
  if (first === undefined || (indexOf(first) !== 0 && contingencyType === 'oneTriggerOther')) {
    return undefined;
  }
  const list = new OwnList(orderListId, contingencyType, members);
  orders.addList(list);
  return list;
}

const indexOf = ({ membership }: OwnOrder): number => membership?.listIndex ?? 0;
