import type { Decimal } from '../../model/decimal.ts';
import { ZERO } from '../../model/decimal.ts';
import { hasEnded } from '../../model/portfolio.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { foreseenCost } from './acceptance.ts';
import type { TransferRecord } from './transfer-route.ts';
import type { JournaledTransfer, JournaledPlan } from './journal.ts';
import type { ExecutionLimits } from './limits.ts';
import { costOf, type PlannedTransfer } from './plan.ts';

/** What an executor tells: everything, each time that something happens. */
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

/** Why a report is given now. */
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
  /** Id of the transfer that it is about. */
  readonly transfer?: string;
  /** A sentence for people. */
  readonly message: string;
}

export interface PlanReport {
  readonly id: string;
  readonly transfers: readonly TransferReport[];
  /** In the unit of worth, exact: by the offers that it was planned with. */
  readonly plannedCost: Decimal;
  /**
   * By what ended transfers did and by the present offers of the others; what it really cost in the
   * end.
   */
  readonly cost: Decimal;
  readonly maximumCost: Decimal;
  readonly superseded?: string;
}

export interface TransferReport {
  readonly planned: PlannedTransfer;
  readonly record: TransferRecord;
  /** The step that was begun and of which it is not known what became. */
  readonly step?: string;
  /** Money may be out, and it takes longer than it should. */
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
  const hasSucceeded = transfers.every(({ record }) => record.state === 'fulfilled');
  return {
    at,
    happening,
    state: happening.kind !== 'ended' ? 'running' : hasSucceeded ? 'done' : 'incomplete',
    plans: plans.map((one) => planReport(one, at, limits)),
  };
}

/** When a transfer that may have paid becomes late; nothing for all others. */
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
    plannedCost: sum(plan.transfers.map(({ offer }) => costOf(offer, offer.expected, prices))),
    cost: sum(transfers.map(({ record }) => foreseenCost(record, plan))),
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

const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, one) => total.plus(one), ZERO);
