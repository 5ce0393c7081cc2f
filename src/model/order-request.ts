import type { Decimal } from './decimal.ts';
import type { MarginMode } from './margin-terms.ts';
import type { ContingencyType, NewOrder } from './order.ts';
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
}

export interface CancelRequest {
  readonly kind: 'cancel';
  readonly clientOrderId: string;
  readonly symbol: string;
}

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
