import { expect, test } from 'vitest';
import { OrderStore } from '../../src/engine/orders/order-store.ts';
import type { OwnList } from '../../src/engine/orders/own-list.ts';
import { orderOf } from '../kit/orders.ts';

/** Adds a list of one order, which is over or not. */
function addList(orders: OrderStore, orderListId: string, isOver: boolean): OwnList {
  const list = { orderListId, contingencyType: 'oneCancelOther', listIndex: 0 } as const;
  const status = isOver ? 'canceled' : 'pending';
  const order = orderOf({ clientOrderId: orderListId, ...list, status });
  return orders.addList(orderListId, 'oneCancelOther', [order]);
}

test('of lists that ended the last thousand are remembered, and all that are active', () => {
  const orders = new OrderStore();
  const active = addList(orders, 'active-01', false);
  const first = addList(orders, 'ended-0000', true);
  for (let count = 1; count <= 998; count += 1) addList(orders, `ended-${count}`, true);
  expect(orders.listOf(first.orders[0])).toBe(first);
  addList(orders, 'ended-last', true);
  expect(orders.listOf(first.orders[0])).toBeUndefined();
  expect(orders.listOf(active.orders[0])).toBe(active);
});
