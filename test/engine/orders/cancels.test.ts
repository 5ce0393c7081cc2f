import { expect, test } from 'vitest';
import { cancels, cancelsNext } from '../../../src/engine/orders/cancels.ts';
import { OrderStore } from '../../../src/engine/orders/order-store.ts';
import { restoreOrders } from '../../../src/engine/orders/restored.ts';
import { StrategyOrders } from '../../../src/engine/orders/strategy-orders.ts';
import type { ContingencyType } from '../../../src/model/order.ts';
import { orderOf } from '../../kit/orders.ts';

/** The orders of a strategy that took over a list, as a start does. */
function restored(contingencyType: ContingencyType, count: number): StrategyOrders {
  const store = new OrderStore();
  const orders = Array.from({ length: count }, (_, listIndex) => {
    const list = { orderListId: 'order-0', contingencyType, listIndex };
    const clientOrderId = `order-${listIndex}`;
    return orderOf({ clientOrderId, ...list, status: 'new', strategy: 'test' });
  });
  restoreOrders(store, orders);
  return new StrategyOrders(store, 'test');
}

const idsOf = (orders: readonly { readonly clientOrderId: string }[]): readonly string[] =>
  orders.map(({ clientOrderId }) => clientOrderId);

test.each([
  ['oneTriggerOther', 3, ['order-0']],
  ['oneTriggerOneCancelOther', 3, ['order-0']],
  ['oneCancelOther', 2, ['order-0']],
  ['allOrNone', 2, ['order-0', 'order-1']],
] as const)(
  'a list %s that was taken over is canceled whole, from its first order',
  (contingencyType, count, expected) => {
    const orders = restored(contingencyType, count);
    expect(idsOf(cancels(orders, orders.open()))).toEqual(expected);
  },
);

test('a list that is to end whole goes on ending where its first order had already ended, once', () => {
  const orders = restored('oneCancelOther', 2);
  cancels(orders, orders.open());
  expect(idsOf(cancelsNext(orders, 'order-0'))).toEqual(['order-1']);
  expect(cancelsNext(orders, 'order-0')).toEqual([]);
});
