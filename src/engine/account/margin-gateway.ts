import type { ContractModel } from '../../model/contract-model.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState, MarginReport } from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { MissedReport } from './margin-accounts.ts';
import type { ReplenishingMemory } from './replenishing.ts';

/**
 * Access of the engine to margin accounts. Requests are answered by reports, in order with those of
 * orders: after the fills that caused them, before the balances.
 */
export interface MarginGateway {
  /**
   * Sets the listener; called once, before the first request. Returns the current margin accounts.
   */
  connect(listener: (report: MarginReport) => void): readonly MarginAccountState[];
  /** Reports of this account's run before `connect`, oldest first. */
  missed?(): readonly MissedReport[];
  set(request: MarginRequest): void;
  /** An instrument that the strategy does not trade, but a cross account may have a position in. */
  instrument?(symbol: string): Instrument | undefined;
  /**
   * The price that positions in a symbol are checked by: the index for spot, the mark price for a
   * contract.
   */
  markPrice(symbol: string): Decimal | undefined;
  /** Stores what was replenished across restarts; absent without restarts. */
  readonly replenished?: ReplenishingMemory | undefined;
  /** The venue's own model of a contract; absent if all of its data comes by the feed. */
  readonly contract?: ((symbol: string) => ContractModel | undefined) | undefined;
}
