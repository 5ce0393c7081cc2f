import type { PlaceListRequest, ReplaceRequest, RequestedOrder } from '../engine/gateway.ts';
import type { OrderRequest } from '../engine/gateway.ts';
import { hasStopPrice } from '../model/order.ts';
import type { Refusal } from '../model/refusals.ts';
import type { Lots } from '../model/units.ts';
import { triggers, type RiskList, type RiskOrder } from './view.ts';

/** A request for orders; a cancel asks for none. */
export type OrderingRequest = Exclude<OrderRequest, { kind: 'cancel' }>;

/**
 * The orders that a request asks for, as they would stand; refuses to replace an order that is not
 * among those that are open.
 */
export function requestedOrders(
  request: OrderingRequest,
  open: readonly RiskOrder[],
): readonly RiskOrder[] | Refusal {
  switch (request.kind) {
    case 'place':
      return [placed(request)];
    case 'placeList':
      return request.orders.map((order, index) => placed(order, listOf(request, index)));
    case 'replace': {
      const old = open.find(({ clientOrderId }) => clientOrderId === request.clientOrderId);
      return old === undefined ? notOpen(request.clientOrderId) : [replacement(old, request)];
    }
  }
}

const listOf = ({ orderListId, contingencyType }: PlaceListRequest, index: number): RiskList => ({
  id: orderListId,
  contingencyType,
  index,
});

const placed = (order: RequestedOrder, list?: RiskList): RiskOrder => ({
  clientOrderId: order.clientOrderId,
  symbol: order.symbol,
  side: order.side,
  type: order.type,
  lots: order.lots,
  executedLots: 0 as Lots,
  ticks: order.ticks,
  stopTicks: order.stopTicks,
  takeRate: order.takeRate,
  makeRate: order.makeRate,
  postOnly: order.postOnly,
  suspended: hasStopPrice(order.type),
  inactive: list !== undefined && list.index > 0 && triggers(list.contingencyType),
  list,
});

const replacement = (old: RiskOrder, request: ReplaceRequest): RiskOrder => ({
  ...old,
  clientOrderId: request.newClientOrderId,
  lots: request.lots,
  ticks: request.ticks ?? old.ticks,
  stopTicks: request.stopTicks ?? old.stopTicks,
  replaces: old.clientOrderId,
});

const notOpen = (clientOrderId: string): Refusal => ({
  code: 'order-unknown',
  field: 'clientOrderId',
  message: `The replacement names ${clientOrderId}, which is not open.`,
});
