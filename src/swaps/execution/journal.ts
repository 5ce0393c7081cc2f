import type { Micros } from '../../platform/time.ts';
import type { TransferRecord, Step } from './transfer-route.ts';
import type { RebalancePlan } from './plan.ts';

/** A plan that is carried out, or was. */
export interface JournaledPlan {
  readonly plan: RebalancePlan;
  /** One for each transfer of the plan, in its order. */
  readonly transfers: readonly JournaledTransfer[];
  /** Why what is unpaid of it was given up for something newer. */
  readonly superseded?: string;
}

export interface JournaledTransfer {
  readonly record: TransferRecord;
  /** The step that was begun and of which it is not known what became. */
  readonly step?: Step;
}

/**
 * What an executor has left when its process was killed. A rebalance is a plan and those that
 * followed it; there is one under way at most. Each call is all done and durable when it returns,
 * or throws `journal-unwritable` and has done nothing.
 */
export interface RebalanceJournal {
  /**
   * Begins a rebalance, or goes on with the one under way by another plan. Throws `request-invalid`
   * for a plan whose id was there before.
   */
  begin(plan: RebalancePlan, transfers: readonly TransferRecord[]): void;
  /** Writes how a transfer stands, and its step, where one is begun or not settled. */
  write(transfer: JournaledTransfer, at: Micros): void;
  /** Writes why the unpaid transfers of a plan are given up. */
  supersede(plan: string, why: string, at: Micros): void;
  /** Ends the rebalance under way. */
  end(at: Micros): void;
  /** The plans of the rebalance under way, oldest first; empty where there is none. */
  underWay(): readonly JournaledPlan[];
}
