import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { MarginMode } from './margin-terms.ts';
import type { ContingencyType, NewOrder } from './order.ts';
import type { Rejection } from './rejections.ts';
import type { RejectReport } from './report.ts';
import type { Lots, Ticks } from './units.ts';

/** A request for a new order. */
export type PlaceRequest = { readonly kind: 'place' } & NewOrder;

/**
 * New orders that are accepted or rejected together; the list's id is the first client order id.
 */
export interface PlaceListRequest {
  readonly kind: 'placeList';
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  readonly orders: readonly NewOrder[];
}

/** Cancels an order and places another, as one step; the new order inherits its fills. */
export interface ReplaceRequest {
  readonly kind: 'replace';
  /** The order to replace. */
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  readonly symbol: string;
  /** The new total, filled lots included. */
  readonly lots: Lots;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
  /** Margin mode of the order; absent for spot. */
  readonly margin?: MarginMode | undefined;
}

export interface CancelRequest {
  readonly kind: 'cancel';
  readonly clientOrderId: string;
  readonly symbol: string;
  /** Margin mode of the order; absent for spot. */
  readonly margin?: MarginMode | undefined;
}

/** The request that cancels an order. */
export const cancelOf = ({
  clientOrderId,
  symbol,
  margin,
}: Pick<NewOrder, 'clientOrderId' | 'symbol' | 'margin'>): CancelRequest => ({
  kind: 'cancel',
  clientOrderId,
  symbol,
  ...(margin === undefined ? {} : { margin: margin.mode }),
});

/** The client order id of a request's answer: that of the new order, or of the canceled one. */
export function idOf(request: OrderRequest): string {
  switch (request.kind) {
    case 'placeList':
      return request.orderListId;
    case 'replace':
      return request.newClientOrderId;
    case 'place':
    case 'cancel':
      return request.clientOrderId;
  }
}

export type OrderRequest = PlaceRequest | PlaceListRequest | ReplaceRequest | CancelRequest;

/** Client order ids of the orders that a request makes, or of the one that it cancels. */
export function idsOf(request: OrderRequest): readonly string[] {
  if (request.kind === 'placeList') return request.orders.map((order) => order.clientOrderId);
  return [idOf(request)];
}

/** Symbol of a request; for a list, that of its first order. */
export const symbolOf = (request: AccountRequest): string =>
  request.kind === 'placeList' ? request.orders[0].symbol : request.symbol;

/** The report of a rejected request. */
export function rejectReport(
  request: OrderRequest,
  rejection: Rejection,
  at: Micros,
): RejectReport {
  const symbol = symbolOf(request);
  return { kind: 'rejected', at, request: request.kind, clientOrderId: idOf(request), symbol, rejection }; // prettier-ignore
}

/**
 * Sets the balance of a margin account, with transfers from and to the spot balance. The balance is
 * absolute, so that repeating it is safe. The answer is a report of the account or a rejection.
 */
export interface MarginRequest {
  readonly kind: 'setMargin';
  /** Symbol of an isolated account; of a cross account any symbol that it can trade. */
  readonly symbol: string;
  readonly mode: MarginMode;
  /** Target funds; 0 closes it. Unchanged if absent. */
  readonly balance?: Decimal | undefined;
  /** Unchanged if absent. */
  readonly leverage?: Decimal | undefined;
}

/** All requests of an account. */
export type AccountRequest = OrderRequest | MarginRequest;
