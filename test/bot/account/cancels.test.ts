import { expect, test } from 'vitest';
import { cancels } from '../../../src/bot/account/cancels.ts';
import { Purse } from '../../../src/bot/account/purse.ts';
import { Seat } from '../../../src/bot/account/seat.ts';
import type { ContingencyType } from '../../../src/model/order.ts';
import { micros } from '../../../src/platform/time.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { orderOf } from '../../kit/orders.ts';

/** A seat that took over the open orders of a list one by one, as a start does. */
function restored(contingencyType: ContingencyType, count: number): Seat {
  const seat = new Seat({
    name: 'test',
    account: 'main',
    instruments: [instrumentOf({})],
    purse: new Purse(undefined),
    host: {
      now: () => micros(0),
      send: () => undefined,
      balances: () => [],
      marketTicks: () => Number.NaN,
    },
  });
  for (let listIndex = 0; listIndex < count; listIndex += 1) {
    const list = { orderListId: 'order-0', contingencyType, listIndex };
    seat.restore(orderOf({ clientOrderId: `order-${listIndex}`, ...list, status: 'new' }));
  }
  return seat;
}

test.each([
  ['oneTriggerOther', 3, ['order-0']],
  ['oneTriggerOneCancelOther', 3, ['order-0']],
  ['oneCancelOther', 2, ['order-0']],
  ['allOrNone', 2, ['order-0', 'order-1']],
] as const)(
  'a list %s that was taken over order by order is canceled whole, from its first order',
  (contingencyType, count, expected) => {
    const { orders } = restored(contingencyType, count);
    const ids = cancels(orders, orders.open()).map(({ clientOrderId }) => clientOrderId);
    expect(ids).toEqual(expected);
  },
);
