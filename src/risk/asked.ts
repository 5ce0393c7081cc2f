import type { OrderRequest } from '../engine/gateway.ts';
import { requestedOrders } from '../engine/orders/requested-orders.ts';
import type { Order } from '../model/order.ts';
import type { Refusal } from '../model/refusals.ts';
import type { RiskView } from './view.ts';

/**
 * The orders that a request asks for, as they would be; refuses to replace an order that is not among
 * those that are open. None for a cancel.
 */
export function askedOrders(request: OrderRequest, view: RiskView): readonly Order[] | Refusal {
  const find = (id: string): Order | undefined =>
    view.orders.find(({ clientOrderId }) => clientOrderId === id);
  if (request.kind === 'replace' && find(request.clientOrderId) === undefined) {
    return {
      code: 'order-unknown',
      field: 'clientOrderId',
      message: `The replacement names ${request.clientOrderId}, which is not open.`,
    };
  }
  const requester = { strategy: '', managed: false, requestedAt: view.now };
  const asked = requestedOrders(request, find, requester);
  if (request.kind !== 'replace') return asked;
  // What the old order has executed is in the new one's total.
  const executedLots = find(request.clientOrderId)?.executedLots;
  return executedLots === undefined ? asked : asked.map((order) => ({ ...order, executedLots }));
}
