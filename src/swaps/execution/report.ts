import { sumOf, type Decimal } from '../../model/decimal.ts';
import { hasEnded } from '../../model/portfolio.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { expectedCost } from './acceptance.ts';
import type { TransferRecord } from './transfer-route.ts';
import type { JournaledTransfer, JournaledPlan } from './journal.ts';
import type { ExecutionLimits } from './limits.ts';
import { costOf, type PlannedTransfer } from './plan.ts';

/** The state of a rebalance, reported after each event. */
export interface RebalanceReport {
  readonly at: Micros;
  readonly happening: Happening;
  /**
   * `done` where all transfers of the last plan are fulfilled, `incomplete` where it ended
   * otherwise.
   */
  readonly state: 'running' | 'done' | 'incomplete';
  /** The plan that was begun, and those that followed it. */
  readonly plans: readonly PlanReport[];
}

/** The event that a report is about. */
export interface Happening {
  readonly kind:
    | 'begun'
    | 'resumed'
    | 'moved'
    | 'late'
    | 'trouble'
    | 'superseded'
    | 'replanned'
    | 'interrupted'
    | 'ended';
  /** Id of the transfer concerned. */
  readonly transfer?: string;
  /** A sentence for people. */
  readonly message: string;
}

export interface PlanReport {
  readonly id: string;
  readonly transfers: readonly TransferReport[];
  /** By the offers of the plan, exact; in the unit of prices. */
  readonly plannedCost: Decimal;
  /** By the outcome of ended transfers and the present offers of the others. */
  readonly cost: Decimal;
  readonly maximumCost: Decimal;
  readonly superseded?: string;
}

export interface TransferReport {
  readonly planned: PlannedTransfer;
  readonly record: TransferRecord;
  /** The step whose outcome is unknown. */
  readonly step?: string;
  /** Money may have left, and it takes longer than it should. */
  readonly late: boolean;
}

/** A report of all plans of a rebalance. */
export function reportOf(
  plans: readonly JournaledPlan[],
  happening: Happening,
  at: Micros,
  limits: ExecutionLimits,
): RebalanceReport {
  const transfers = plans.at(-1)?.transfers ?? [];
  return {
    at,
    happening,
    state:
      happening.kind !== 'ended' ? 'running' : haveSucceeded(transfers) ? 'done' : 'incomplete',
    plans: plans.map((one) => planReport(one, at, limits)),
  };
}

export const haveSucceeded = (transfers: JournaledPlan['transfers']): boolean =>
  transfers.every(({ record }) => record.state === 'fulfilled');

/** When a transfer becomes late that may have paid; `undefined` for others. */
export function lateAt(transfer: TransferRecord, limits: ExecutionLimits): Micros | undefined {
  const { state, paying, changedAt, durationUs } = transfer;
  if (hasEnded(state) || !paying) return undefined;
  const within =
    state === 'deposited' ? Math.max(limits.depositedUs, 2 * durationUs) : limits.approvedUs;
  return micros(changedAt + within);
}

function planReport(
  { plan, transfers, superseded }: JournaledPlan,
  at: Micros,
  limits: ExecutionLimits,
): PlanReport {
  const { id, prices, maximumCost } = plan;
  return {
    id,
    maximumCost,
    ...(superseded !== undefined && { superseded }),
    transfers: plan.transfers.flatMap((planned, index) =>
      transferReport(planned, transfers[index], at, limits),
    ),
    plannedCost: sumOf(plan.transfers.map(({ offer }) => costOf(offer, offer.expected, prices))),
    cost: sumOf(transfers.map(({ record }) => expectedCost(record, plan))),
  };
}

function transferReport(
  planned: PlannedTransfer,
  journaled: JournaledTransfer | undefined,
  at: Micros,
  limits: ExecutionLimits,
): readonly TransferReport[] {
  if (journaled === undefined) return [];
  const { record, step } = journaled;
  const late = at >= (lateAt(record, limits) ?? Infinity);
  return [{ planned, record, late, ...(step !== undefined && { step: step.name }) }];
}
