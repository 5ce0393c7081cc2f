import type { Decimal } from '../../model/decimal.ts';
import type { HoldingKey } from '../../model/portfolio.ts';
import type { NetworkFee } from '../execution/transfer-route.ts';
import type { PlannedTransfer, RebalancePlan } from '../execution/plan.ts';
import type { LedgerRow } from './ledger.ts';

/** Transfers that bring every holding into its band, their cost, and why they are made. */
export interface Plan {
  /** For the executor; without transfers where every holding is in its band. */
  readonly plan: RebalancePlan;
  readonly transfers: readonly ReasonedTransfer[];
  /**
   * Value that the portfolio loses where the expected amounts arrive, with the network fees in coins
   * without a target, in the unit of prices. The maximum cost applies to it. Bands also hold where
   * the least arrives.
   */
  readonly cost: Decimal;
  /** The same where the least arrives and fees are the highest. */
  readonly costAtMost: Decimal;
  /** Value that holdings send, without what they pass on; the maximum cost is a share of it. */
  readonly moved: Decimal;
  /** Network fees by coin. */
  readonly fees: readonly PlanFee[];
  /** Sentences: fees that are not counted, and routes not used for lack of a coin. */
  readonly warnings: readonly string[];
  readonly before: readonly LedgerRow[];
  /** After all transfers, by the least that may arrive. */
  readonly after: readonly LedgerRow[];
  /** Holdings that send and receive nothing, with a sentence why. */
  readonly leftAlone: readonly { readonly holding: HoldingKey; readonly why: string }[];
  readonly effort: PlanEffort;
}

/** The fees of all transfers in one coin. */
export interface PlanFee extends Pick<NetworkFee, 'coin' | 'expected' | 'most'> {
  /** Value of the expected fee; absent where the coin has no price. */
  readonly value?: Decimal;
}

export interface ReasonedTransfer {
  readonly transfer: PlannedTransfer;
  /** Expected cost, in the unit of prices. */
  readonly cost: Decimal;
  readonly why: string;
}

/** How the plan was found. */
export interface PlanEffort {
  /** True where no cheaper plan exists by the curves between the offers; else it is the best found. */
  readonly isExact: boolean;
  /** Share of its cost that the cheapest plan could save at most, by the same curves, where known. */
  readonly within?: Decimal;
  readonly offers: number;
  readonly searches: number;
}
