import type { Order, VenueOrder } from '../../src/model/order.ts';
import { pendingOrder } from '../../src/model/order-reducer.ts';
import { lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';

const TERMS = {
  clientOrderId: 'order-0001',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  lots: lots(1),
  postOnly: false,
} as const;

/** An own order, pending unless `more` says otherwise. */
export const orderOf = (more: Partial<Order> = {}): Order =>
  ({
    ...pendingOrder(
      { ...TERMS, ...more },
      { strategy: 'test', managed: false, requestedAt: micros(0) },
    ),
    ...more,
  }) as Order;

/** An own order as it is once the venue has reported it, all its fills received. */
export const reportedOrder = (venueOrder: VenueOrder, more: Partial<Order> = {}): Order =>
  orderOf({
    ...venueOrder,
    receivedLots: venueOrder.filledLots,
    venueOrder,
    ...more,
  });
