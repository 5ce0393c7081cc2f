import type { Instrument } from '../../model/instrument.ts';
import { isUnanswered, type Orders } from './orders.ts';
import { OwnList } from './own-list.ts';
import type { OwnOrder } from './own-order.ts';
import type { RestoredOrder } from './restored-order.ts';

/** Takes over orders of a former life as plain orders, and the lists that they make up. */
export function restoreOrders(
  orders: Orders,
  restored: readonly RestoredOrder[],
  instrument: (symbol: string) => Instrument,
): readonly OwnOrder[] {
  const own = restored.map((one) => orders.restore(one, instrument(one.symbol)));
  linkReplacements(orders, restored);
  const lists = new Map<string, OwnOrder[]>();
  for (const order of own) {
    const { membership } = order;
    // A replacement stands in the list once it has replaced, and what it replaced no more.
    if (membership === undefined || order.replacedBy !== undefined) continue;
    if (isVain(order, restored)) continue;
    const { orderListId, listIndex } = membership;
    const members = lists.get(orderListId) ?? [];
    members[listIndex] = order;
    lists.set(orderListId, members);
  }
  for (const [orderListId, members] of lists) {
    const present = members.filter((one) => one !== undefined);
    const contingencyType = present[0]?.membership?.contingencyType;
    if (contingencyType === undefined) continue;
    orders.addList(new OwnList(orderListId, contingencyType, present));
  }
  return own;
}

/** Says which order took the place of which, and which is to, when the venue says so. */
function linkReplacements(orders: Orders, restored: readonly RestoredOrder[]): void {
  for (const { clientOrderId, replaces, replacedBy } of restored) {
    const order = orders.find(clientOrderId);
    if (order === undefined) continue;
    if (replacedBy !== undefined) order.replacedBy = orders.find(replacedBy);
    if (replaces !== undefined && isUnanswered(order)) order.replaces = orders.find(replaces);
  }
}

/** True for a replacement that was not done, or not yet. */
const isVain = ({ clientOrderId }: OwnOrder, restored: readonly RestoredOrder[]): boolean => {
  const replaces = restored.find((one) => one.clientOrderId === clientOrderId)?.replaces;
  const replaced = restored.find((one) => one.clientOrderId === replaces);
  return replaced !== undefined && replaced.replacedBy !== clientOrderId;
};
