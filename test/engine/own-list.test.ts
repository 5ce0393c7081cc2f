import { expect, test } from 'vitest';
import { Orders } from '../../src/engine/orders/orders.ts';
import { OwnList } from '../../src/engine/orders/own-list.ts';
import { OwnOrder } from '../../src/engine/orders/own-order.ts';
import { Instrument } from '../../src/model/instrument.ts';
import { lots } from '../../src/model/units.ts';
import { TERMS } from './rig.ts';

const INSTRUMENT = new Instrument(TERMS);

/** A list of one order, which is over or not. */
function listOf(orderListId: string, isOver: boolean): OwnList {
  const order = new OwnOrder({
    clientOrderId: orderListId,
    instrument: INSTRUMENT,
    side: 'buy',
    type: 'limit',
    lots: lots(1),
    membership: { orderListId, contingencyType: 'oneCancelOther', listIndex: 0 },
  });
  if (isOver) order.status = 'canceled';
  return new OwnList(orderListId, 'oneCancelOther', [order]);
}

test('of lists that ended the last thousand are remembered, and all that are active', () => {
  const orders = new Orders();
  const active = listOf('active-01', false);
  const first = listOf('ended-0000', true);
  orders.addList(active);
  orders.addList(first);
  for (let count = 1; count <= 998; count += 1) orders.addList(listOf(`ended-${count}`, true));
  expect(orders.listOf(first.orders[0])).toBe(first);
  orders.addList(listOf('ended-last', true));
  expect(orders.listOf(first.orders[0])).toBeUndefined();
  expect(orders.listOf(active.orders[0])).toBe(active);
});
