import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { MarginAccountState, MarginReport } from '../model/margin-account.ts';
import type { MarginMode } from '../model/margin-terms.ts';
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
  /** Margin accounts and futures, where the venue has any for this strategy. */
  readonly margin?: MarginGateway | undefined;
}

/**
 * How the engine reaches margin accounts. What it asks for is answered by reports, which come in order with
 * those of the orders: after the fills that led to them, before the balances.
 */
export interface MarginGateway {
  /** Sets who is told; called once, before the first request. Gives the margin accounts as they are. */
  connect(listener: (report: MarginReport) => void): readonly MarginAccountState[];
  set(request: MarginRequest): void;
  /** The price that positions in a symbol are judged by: of spot its index, of a contract its mark. */
  markPrice(symbol: string): Decimal | undefined;
}
