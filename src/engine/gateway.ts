import type { ContractModel } from '../model/contract-model.ts';
import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { MarginAccountState, MarginReport } from '../model/margin-account.ts';
import type { MarginRequest, OrderRequest } from '../model/order-request.ts';
import type { Report } from '../model/report.ts';

export {
  idOf,
  type CancelRequest,
  type MarginRequest,
  type OrderRequest,
  type PlaceListRequest,
  type PlaceRequest,
  type ReplaceRequest,
} from '../model/order-request.ts';

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
  /** What the venue itself makes of a contract; absent where all that is known comes by the feed. */
  contract?(symbol: string): ContractModel | undefined;
}
