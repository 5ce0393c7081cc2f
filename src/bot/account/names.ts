import type { OrderRequest } from '../../engine/gateway.ts';
import type { RejectReport, Report } from '../../model/report.ts';

/** The client order ids of the orders that a request makes, or cancels. */
export function idsOf(request: OrderRequest): readonly string[] {
  if (request.kind === 'placeList') return request.orders.map((order) => order.clientOrderId);
  return [request.kind === 'replace' ? request.newClientOrderId : request.clientOrderId];
}

/** By what a refusal names a request. */
export function nameOf(request: OrderRequest): Pick<RejectReport, 'clientOrderId' | 'symbol'> {
  if (request.kind === 'placeList') {
    return { clientOrderId: request.orderListId, symbol: request.orders[0]?.symbol ?? '' };
  }
  const { symbol } = request;
  return request.kind === 'replace'
    ? { clientOrderId: request.newClientOrderId, symbol }
    : { clientOrderId: request.clientOrderId, symbol };
}

/** Of which order or request a report tells. */
export const idOf = (report: Exclude<Report, { kind: 'balance' }>): string =>
  'order' in report ? report.order.clientOrderId : report.clientOrderId;

/** The symbol of the order or request that a report tells of. */
export const symbolOf = (report: Exclude<Report, { kind: 'balance' }>): string =>
  'order' in report ? report.order.symbol : report.symbol;
