import type { Instrument } from '../model/instrument.ts';
import type { OrderRequest } from '../model/order-request.ts';
import type { Report } from '../model/report.ts';

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
