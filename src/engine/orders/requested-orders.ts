import type { Order } from '../../model/order.ts';
import { pendingOrder, type Requester } from '../../model/order-reducer.ts';
import type { OrderRequest } from '../../model/order-request.ts';

/**
 * The orders that a request asks for, as they are before anything is received of them; none for a
 * cancel, and for the replacement of an order that `find` does not know. A replacement has what the
 * request leaves open from the order that it replaces, its place in a list included.
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
      const terms = {
        ...old,
        clientOrderId: newClientOrderId,
        lots,
        ticks: ticks ?? old.ticks,
        stopTicks: stopTicks ?? old.stopTicks,
      };
      return [pendingOrder(terms, requester, old, clientOrderId)];
    }
    case 'cancel':
      return [];
  }
}
