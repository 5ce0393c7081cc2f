import type { ContractModel } from '../../model/contract-model.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState, MarginReport } from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { MissedReport } from './margin-accounts.ts';
import type { ReplenishingMemory } from './replenishing.ts';

/**
 * How the engine reaches margin accounts. What it asks for is answered by reports, which come in order with
 * those of the orders: after the fills that led to them, before the balances.
 */
export interface MarginGateway {
  /** Sets the listener; called once, before the first request. Gives the margin accounts as they are. */
  connect(listener: (report: MarginReport) => void): readonly MarginAccountState[];
  /** What happened to them in this account's life before anybody was connected, oldest first. */
  missed?(): readonly MissedReport[];
  set(request: MarginRequest): void;
  /** An instrument that the strategy does not trade, of which a cross account may have a position. */
  instrument?(symbol: string): Instrument | undefined;
  /** The price that positions in a symbol are judged by: of spot its index, of a contract its mark. */
  markPrice(symbol: string): Decimal | undefined;
  /** Keeps what was replenished over a restart; absent where there is none. */
  readonly replenished?: ReplenishingMemory | undefined;
  /** What the venue itself makes of a contract; absent where all that is known comes by the feed. */
  readonly contract?: ((symbol: string) => ContractModel | undefined) | undefined;
}
