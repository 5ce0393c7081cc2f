import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StrategyOrderIndex } from '../../src/engine/orders/order-index.ts';
import { isOpen, type NewOrder, type Order, type OrderStatus } from '../../src/model/order.ts';
import { pendingOrder } from '../../src/model/order-reducer.ts';
import { lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';

const STATUSES = ['new', 'filled', 'canceled', 'partiallyFilled'] as const;
const ENDED_MAX = 3;

function orderOf(id: number, status: OrderStatus): Order {
  const terms: NewOrder = {
    clientOrderId: `order-${id}`,
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    lots: lots(1),
    postOnly: false,
  };
  const requester = { strategy: '', managed: false, requestedAt: micros(0) };
  return { ...pendingOrder(terms, requester), status };
}

const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(...STATUSES)), {
  maxLength: 60,
});

test('an index finds open orders, oldest first, and the last that ended, also those that are open again', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const index = new StrategyOrderIndex(ENDED_MAX);
      const open = new Map<string, Order>();
      const ended = new Map<string, Order>();
      for (const [id, status] of taken) {
        const order = orderOf(id, status);
        const { clientOrderId } = order;
        index.put(order);
        if (isOpen(order)) {
          ended.delete(clientOrderId);
          open.set(clientOrderId, order);
        } else {
          open.delete(clientOrderId);
          ended.set(clientOrderId, order);
          const [oldest] = ended.keys();
          if (ended.size > ENDED_MAX) ended.delete(oldest);
        }
        expect(index.open()).toEqual([...open.values()]);
        for (let other = 0; other < 10; other += 1) {
          const name = `order-${other}`;
          expect(index.get(name)).toBe(open.get(name) ?? ended.get(name));
        }
      }
    }),
  );
});

test('an index knows which of two orders came first, whatever became of them', () => {
  const index = new StrategyOrderIndex(ENDED_MAX);
  for (const id of [1, 2, 3]) index.put(orderOf(id, 'new'));
  index.put(orderOf(1, 'canceled'));
  expect(index.isBefore('order-1', 'order-2')).toBe(true);
  expect(index.isBefore('order-3', 'order-2')).toBe(false);
  expect(index.isBefore('order-9', 'order-2')).toBe(false);
  expect(index.isBefore('order-1', 'order-9')).toBe(false);
});

test('an index removes an order that ended, and keeps one that is open', () => {
  const index = new StrategyOrderIndex(ENDED_MAX);
  index.put(orderOf(1, 'new'));
  index.put(orderOf(2, 'canceled'));
  index.put(orderOf(3, 'canceled'));
  for (const id of [1, 2, 9]) index.forget(`order-${id}`);
  expect(index.get('order-2')).toBeUndefined();
  expect(index.get('order-1')).toBeDefined();
  for (const id of [4, 5]) index.put(orderOf(id, 'canceled'));
  expect(index.get('order-3')).toBeDefined();
});
