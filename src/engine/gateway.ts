import type { Instrument } from '../model/instrument.ts';
import type { OrderType, Side, TimeInForce } from '../model/order.ts';
import type { Report } from '../model/report.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';

/** A new order on its way to a venue; its fields have passed the rules. */
export interface PlaceRequest {
  readonly kind: 'place';
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
}

export interface CancelRequest {
  readonly kind: 'cancel';
  readonly clientOrderId: string;
  readonly symbol: string;
}

export type OrderRequest = PlaceRequest | ReplaceRequest | CancelRequest;

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
  send(request: OrderRequest): void;
}
