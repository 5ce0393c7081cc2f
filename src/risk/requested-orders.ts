import type { OrderRequest } from '../model/order-request.ts';
import { requestedOrders } from '../engine/orders/requested-orders.ts';
import type { Order } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import type { RiskView } from './view.ts';

/**
 * Orders of a request; rejects the replacement of an order that is not open. A replacement
 * continues the state of the replaced order: its fills are in the total, and it waits if that order
 * waits. None for a cancel.
 */
export function ordersOf(request: OrderRequest, view: RiskView): readonly Order[] | Rejection {
  const requester = { strategy: '', managed: false, requestedAt: view.now };
  if (request.kind !== 'replace') return requestedOrders(request, () => undefined, requester);
  const old = view.orders.find(({ clientOrderId }) => clientOrderId === request.clientOrderId);
  if (old === undefined) {
    return {
      code: 'order-unknown',
      field: 'clientOrderId',
      message: `The replacement names ${request.clientOrderId}, which is not open.`,
    };
  }
  const { newClientOrderId, lots, ticks = old.ticks, stopTicks = old.stopTicks } = request;
  const replaces = old.clientOrderId;
  return [{ ...old, clientOrderId: newClientOrderId, lots, ticks, stopTicks, replaces }];
}
