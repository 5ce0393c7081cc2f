import type { Decimal } from '../../model/decimal.ts';
import type { HoldingKey } from '../../model/portfolio.ts';
import type { NetworkFee } from '../execution/transfer-route.ts';
import type { PlannedTransfer, RebalancePlan } from '../execution/plan.ts';
import type { LedgerRow } from './ledger.ts';

/** Transfers that bring every holding into its band, what they cost, and why they are made. */
export interface Plan {
  /** What the executor takes; no transfers where every holding is in its band. */
  readonly plan: RebalancePlan;
  readonly transfers: readonly ReasonedTransfer[];
  /**
   * What the portfolio loses, in the unit of prices, where what is expected arrives, and what networks
   * take of coins that are not of the portfolio and have a price. It is what a
   * rebalance is to be judged by; the least that may arrive is a guard against bad luck, by which
   * only the bands are judged: they hold even then.
   */
  readonly cost: Decimal;
  /** The same where the least arrives. */
  readonly costAtMost: Decimal;
  /** What leaves holdings of its own, in worth: what the maximum cost is a share of. */
  readonly moved: Decimal;
  /** What networks take, of each coin. */
  readonly fees: readonly PlanFee[];
  /** What was not counted, and what was not moved for lack of a coin; sentences. */
  readonly warnings: readonly string[];
  readonly before: readonly LedgerRow[];
  /** After all transfers, by the least that may arrive. */
  readonly after: readonly LedgerRow[];
  /** Why the holdings that send and receive nothing were left alone, a sentence each. */
  readonly leftAlone: readonly { readonly holding: HoldingKey; readonly why: string }[];
  readonly effort: PlanEffort;
}

/** The fees of all transfers in one coin. */
export interface PlanFee extends Pick<NetworkFee, 'coin' | 'expected' | 'most'> {
  /** What is expected of it, in the unit of prices; absent where the coin has no price. */
  readonly value?: Decimal;
}

export interface ReasonedTransfer {
  readonly transfer: PlannedTransfer;
  /** What it is expected to cost, in the unit of prices. */
  readonly cost: Decimal;
  readonly why: string;
}

/** How the plan was found. */
export interface PlanEffort {
  /**
   * True where everything was tried that could be cheaper, by estimates between the offers; false
   * where it is the best that was found within the limits.
   */
  readonly isExact: boolean;
  /**
   * Where it is not exact, the share of its cost that the cheapest may cost less at the most, by the
   * same estimates; absent where that is not known.
   */
  readonly within?: Decimal;
  readonly offers: number;
  /** Searches that were made: each knows the offers that those before have asked for. */
  readonly searches: number;
}
