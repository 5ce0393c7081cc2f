import type { Instrument } from '../model/instrument.ts';
import type { ManagedState } from '../model/managed-state.ts';
import type { OrderRequest } from '../model/order-request.ts';
import type { NonSpotBalanceSource } from '../model/non-spot-balance.ts';
import type { Report } from '../model/report.ts';
import type { MarginGateway } from './account/margin-gateway.ts';
import type { OrderChange } from './orders/order-store.ts';
import type { StrategyOrders } from './orders/strategy-orders.ts';

/**
 * A venue with one account. Requests never return an answer; every answer is a report, later and in
 * the venue's order: the balances that a fill changed come after the fill, and the initial ones
 * first of all.
 */
export interface VenueGateway {
  /** Name of the venue, unique within a run. */
  readonly venue: string;
  readonly instruments: readonly Instrument[];
  /** Sets the receiver of reports; called once, before the first request. */
  connect(listener: (report: Report) => void): void;
  /** `managed` is true for an order of a target or quote, which the engine maintains. */
  send(request: OrderRequest, managed: boolean): void;
  /** Margin accounts and futures, if the venue has them for this strategy. */
  readonly margin?: MarginGateway | undefined;
  /** Wallet and derivatives balances, if the venue reports them. */
  readonly nonSpotBalances?: NonSpotBalanceSource | undefined;
}

/** Receives a report with its changes of the strategy's orders, which the store has applied. */
export type ReportListener = (report: Report, changes: readonly OrderChange[]) => void;

/**
 * Access of the engine to its strategy's account. The account records the orders: a request is in
 * `orders` before it is sent, and each report is applied to them once.
 */
export interface Gateway extends Omit<VenueGateway, 'connect'> {
  readonly orders: StrategyOrders;
  /**
   * Stores the restart state of a managed order, `undefined` to delete it, before the next request
   * is sent. Absent without restarts.
   */
  save?(id: string, state: ManagedState | undefined): void;
  connect(listener: ReportListener): void;
}
