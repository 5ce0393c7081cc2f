import type { Micros } from '../../platform/time.ts';
import type { TransferRecord, Step } from './transfer-route.ts';
import type { RebalancePlan } from './plan.ts';

/** A plan with its transfers. */
export interface JournaledPlan {
  readonly plan: RebalancePlan;
  /** One for each transfer of the plan, in its order. */
  readonly transfers: readonly JournaledTransfer[];
  /** Why its unpaid transfers were given up for a newer plan. */
  readonly superseded?: string;
}

export interface JournaledTransfer {
  readonly record: TransferRecord;
  /** The step whose outcome is unknown. */
  readonly step?: Step;
}

/**
 * The durable state of an executor. A rebalance is a plan and those that follow it; at most one is
 * under way. Each call is done and durable when it returns, or throws `journal-unwritable` and has
 * done nothing.
 */
export interface RebalanceJournal {
  /** Begins a rebalance, or adds a plan to the one under way. Throws `request-invalid` for a known id. */
  begin(plan: RebalancePlan, transfers: readonly TransferRecord[]): void;
  /** Writes a transfer, with its step while the outcome of that is unknown. */
  write(transfer: JournaledTransfer, at: Micros): void;
  /** Writes why the unpaid transfers of a plan are given up. */
  supersede(plan: string, why: string, at: Micros): void;
  /** Ends the rebalance under way. */
  end(at: Micros): void;
  /** The plans of the rebalance under way, oldest first; empty where there is none. */
  underWay(): readonly JournaledPlan[];
}
