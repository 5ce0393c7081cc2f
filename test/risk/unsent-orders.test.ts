import { expect, test } from 'vitest';
import type { OrderRequest } from '../../src/model/order-request.ts';
import type { Lots } from '../../src/model/units.ts';
import { UnsentOrders } from '../../src/risk/unsent-orders.ts';
import { open, place, placeList } from './view.ts';

const replace: OrderRequest = {
  kind: 'replace',
  clientOrderId: 'old',
  newClientOrderId: 'new',
  symbol: 'BTCUSDT',
  lots: 1 as Lots,
};
const cancelOf = (clientOrderId: string): OrderRequest => ({
  kind: 'cancel',
  clientOrderId,
  symbol: 'BTCUSDT',
});

test('an order counts as unsent from its request on until the request passes or is rejected', () => {
  const unsent = new UnsentOrders();
  const request = place({ clientOrderId: 'a' });
  const [order, other] = [open({ clientOrderId: 'a' }), open({ clientOrderId: 'b' })];
  expect(unsent.has('a')).toBe(false);
  unsent.add(request);
  expect(unsent.has('a')).toBe(true);
  expect(unsent.has('b')).toBe(false);
  expect(unsent.sent([order, other])).toEqual([other]);
  unsent.delete(request);
  expect(unsent.has('a')).toBe(false);
  expect(unsent.sent([order, other])).toEqual([order, other]);
});

test('all orders of a list wait together', () => {
  const unsent = new UnsentOrders();
  const list = placeList('oneCancelOther', { clientOrderId: 'a' }, { clientOrderId: 'b' });
  unsent.add(list);
  expect([unsent.has('a'), unsent.has('b')]).toEqual([true, true]);
  unsent.delete(list);
  expect([unsent.has('a'), unsent.has('b')]).toEqual([false, false]);
});

test('a replacement waits, and the order that it is to replace was sent', () => {
  const unsent = new UnsentOrders();
  unsent.add(replace);
  expect([unsent.has('new'), unsent.has('old')]).toEqual([true, false]);
  unsent.delete(replace);
  expect(unsent.has('new')).toBe(false);
});

test('a cancel neither holds its order back nor lets it go', () => {
  const unsent = new UnsentOrders();
  unsent.add(cancelOf('a'));
  expect(unsent.has('a')).toBe(false);
  unsent.add(place({ clientOrderId: 'a' }));
  unsent.delete(cancelOf('a'));
  expect(unsent.has('a')).toBe(true);
});

test('while nothing waits, the orders are given back as they came', () => {
  const orders = [open()];
  expect(new UnsentOrders().sent(orders)).toBe(orders);
});
