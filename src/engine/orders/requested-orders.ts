import type { NewOrder, Order } from '../../model/order.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import { pendingOrder, type Requester } from '../../model/order-reducer.ts';

/**
 * Orders of a request before any report; none for a cancel, and for the replacement of an order
 * that `find` does not know. A replacement copies what the request leaves open from the order that
 * it replaces, its index in a list included.
 */
export function requestedOrders(
  request: OrderRequest,
  find: (clientOrderId: string) => Order | undefined,
  requester: Requester,
): readonly Order[] {
  switch (request.kind) {
    case 'place':
      return [pendingOrder(request, requester)];
    case 'placeList': {
      const { orderListId, contingencyType, orders } = request;
      return orders.map((order, listIndex) =>
        pendingOrder(order, requester, { orderListId, contingencyType, listIndex }),
      );
    }
    case 'replace': {
      const { clientOrderId, newClientOrderId, lots, ticks, stopTicks } = request;
      const old = find(clientOrderId);
      if (old === undefined) return [];
      const terms: NewOrder = {
        clientOrderId: newClientOrderId,
        symbol: old.symbol,
        side: old.side,
        type: old.type,
        timeInForce: old.timeInForce,
        lots,
        ticks: ticks ?? old.ticks,
        stopTicks: stopTicks ?? old.stopTicks,
        expireAt: old.expireAt,
        postOnly: old.postOnly,
        margin: old.margin,
        takeRate: old.takeRate,
        makeRate: old.makeRate,
      };
      return [pendingOrder(terms, requester, old, clientOrderId)];
    }
    case 'cancel':
      return [];
  }
}
