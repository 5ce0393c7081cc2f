import type { Instrument } from '../model/instrument.ts';
import type { ContingencyType, NewOrder } from '../model/order.ts';
import type { Report } from '../model/report.ts';
import type { Lots, Ticks } from '../model/units.ts';

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
 * How the engine reaches a venue. Requests never answer; every answer is a report, later and in
 * the order in which the venue did things: the balances that a fill changed come after the fill, and
 * those of the start before everything else. Implementations: the exchange in this process
 * (backtest, paper) and the trading service over the network.
 */
export interface Gateway {
  /** Name of the venue, unique within a run. */
  readonly venue: string;
  readonly instruments: readonly Instrument[];
  /** Sets who is told; called once, before the first request. */
  connect(listener: (report: Report) => void): void;
  /** `managed` says that the order is the engine's to keep: a target's or a quote's. */
  send(request: OrderRequest, managed: boolean): void;
}
