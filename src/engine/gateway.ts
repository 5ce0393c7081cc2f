import type { Instrument } from '../model/instrument.ts';
import type { ManagedState } from '../model/managed-state.ts';
import type { OrderRequest } from '../model/order-request.ts';
import type { NonSpotBalanceSource } from '../model/non-spot-balance.ts';
import type { Report } from '../model/report.ts';
import type { MarginGateway } from './account/margin-gateway.ts';
import type { OrderChange } from './orders/order-store.ts';
import type { StrategyOrders } from './orders/strategy-orders.ts';

/**
 * A venue with one account. Requests never answer; every answer is a report, later and in the order
 * in which the venue did things: the balances that a fill changed come after the fill, and those of
 * the start before everything else.
 */
export interface VenueGateway {
  /** Name of the venue, unique within a run. */
  readonly venue: string;
  readonly instruments: readonly Instrument[];
  /** Sets who receives the reports; called once, before the first request. */
  connect(listener: (report: Report) => void): void;
  /** `managed` says that the order is the engine's to keep: a target's or a quote's. */
  send(request: OrderRequest, managed: boolean): void;
  /** Margin accounts and futures, where the venue has any for this strategy. */
  readonly margin?: MarginGateway | undefined;
  /** Balances of wallet and derivatives, where the venue reports any. */
  readonly nonSpotBalances?: NonSpotBalanceSource | undefined;
}

/** Receives a report with what it changed of the strategy's orders: the store has it by then. */
export type ReportListener = (report: Report, changes: readonly OrderChange[]) => void;

/**
 * How the engine reaches the account that its strategy trades on. The account keeps the orders: a
 * request stands in `orders` before it is sent, and each report is applied to them once.
 */
export interface Gateway extends Omit<VenueGateway, 'connect'> {
  readonly orders: StrategyOrders;
  /**
   * Keeps what a restart needs of a managed order, `undefined` for nothing more, before what is sent next.
   * Absent where nothing is restarted.
   */
  save?(id: string, state: ManagedState | undefined): void;
  connect(listener: ReportListener): void;
}
