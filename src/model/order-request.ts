import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { MarginMode } from './margin-terms.ts';
import type { ContingencyType, NewOrder } from './order.ts';
import type { Rejection } from './rejections.ts';
import type { RejectReport } from './report.ts';
import type { Lots, Ticks } from './units.ts';

/** A new order on its way to a venue. */
export type PlaceRequest = { readonly kind: 'place' } & NewOrder;

/** New orders that are accepted or refused as one; the list's id is the first client order id. */
export interface PlaceListRequest {
  readonly kind: 'placeList';
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  readonly orders: readonly NewOrder[];
}

/** Cancels an order and places another in its stead, as one; the new order inherits what is executed. */
export interface ReplaceRequest {
  readonly kind: 'replace';
  /** The order to replace. */
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  readonly symbol: string;
  /** The new total, what is executed included. */
  readonly lots: Lots;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
  /** On which margin the order is; absent for spot. */
  readonly margin?: MarginMode | undefined;
}

export interface CancelRequest {
  readonly kind: 'cancel';
  readonly clientOrderId: string;
  readonly symbol: string;
  /** On which margin the order is; absent for spot. */
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

/** The client order id by which a request is answered: of what it makes, or of what it cancels. */
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

/** The client order ids of the orders that a request makes, or of the one that it cancels. */
export function idsOf(request: OrderRequest): readonly string[] {
  if (request.kind === 'placeList') return request.orders.map((order) => order.clientOrderId);
  return [idOf(request)];
}

/** The symbol of a request; of a list, that of its first order. */
export const symbolOf = (request: AccountRequest): string =>
  request.kind === 'placeList' ? request.orders[0].symbol : request.symbol;

/** The report that a request is rejected. */
export function rejectReport(
  request: OrderRequest,
  rejection: Rejection,
  at: Micros,
): RejectReport {
  const symbol = symbolOf(request);
  return { kind: 'rejected', at, request: request.kind, clientOrderId: idOf(request), symbol, rejection }; // prettier-ignore
}

/**
 * Brings a margin account to what is asked for, from the spot balance and back to it: an absolute balance,
 * so that repeating it is safe. It is answered by a report of the account or by its rejection.
 */
export interface MarginRequest {
  readonly kind: 'setMargin';
  /** Of an isolated account its symbol; of a cross account any symbol that it is to trade. */
  readonly symbol: string;
  readonly mode: MarginMode;
  /** Funds that it has then; 0 closes it. It keeps what it has where absent. */
  readonly balance?: Decimal | undefined;
  /** It keeps what it has where absent. */
  readonly leverage?: Decimal | undefined;
}

/** All that can be asked of an account. */
export type AccountRequest = OrderRequest | MarginRequest;
