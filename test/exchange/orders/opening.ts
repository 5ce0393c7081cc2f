import type { OrderOpening } from '../../../src/exchange/orders/orders.ts';

/** What opens a limit buy of a lot at a tick for account 2, unless it says otherwise. */
export const opening = (change: Partial<OrderOpening> = {}): OrderOpening => ({
  account: 2,
  instrument: 0,
  side: 0,
  type: 'limit',
  timeInForce: 'GTC',
  postOnly: false,
  margin: 0,
  lots: 1,
  filled: 0,
  ticks: 1,
  expireAt: Infinity,
  clientOrderId: 'order-0001',
  originalClientOrderId: undefined,
  createdAt: 0,
  at: 0,
  ...change,
});
