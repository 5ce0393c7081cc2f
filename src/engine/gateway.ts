import type { Instrument } from '../model/instrument.ts';
import type { ContingencyType, OrderType, Side, TimeInForce } from '../model/order.ts';
import type { Report } from '../model/report.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import type { OwnRates } from '../rules/own-rates.ts';

/** A new order, alone or in a list; its fields have passed the rules. */
export interface RequestedOrder extends OwnRates {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly lots: Lots;
  readonly ticks?: Ticks;
  readonly stopTicks?: Ticks;
  readonly expireAt?: Micros;
  readonly postOnly: boolean;
}

/** A new order on its way to a venue. */
export interface PlaceRequest extends RequestedOrder {
  readonly kind: 'place';
}

/** New orders that are accepted or refused as one; the list's id is the first client order id. */
export interface PlaceListRequest {
  readonly kind: 'placeList';
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  readonly orders: readonly RequestedOrder[];
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
  readonly ticks?: Ticks;
  readonly stopTicks?: Ticks;
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
  /** `wished` says that the request comes of a wish, whose orders nobody but the engine works on. */
  send(request: OrderRequest, wished: boolean): void;
}
