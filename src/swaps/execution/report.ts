import type { Decimal } from '../../model/decimal.ts';
import { ZERO } from '../../model/decimal.ts';
import { hasEnded } from '../../model/portfolio.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { foreseenCost } from './acceptance.ts';
import type { MoveRecord } from './carrier.ts';
import type { JournaledMove, JournaledPlan } from './journal.ts';
import type { ExecutionLimits } from './limits.ts';
import { costOf, type PlannedMove } from './plan.ts';

/** What an executor tells: everything, each time that something happens. */
export interface RebalanceReport {
  readonly at: Micros;
  readonly happening: Happening;
  /** `done` where all moves of the last plan are fulfilled, `incomplete` where it ended otherwise. */
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
  /** Id of the move that it is about. */
  readonly move?: string;
  /** A sentence for people. */
  readonly message: string;
}

export interface PlanReport {
  readonly id: string;
  readonly moves: readonly MoveReport[];
  /** In the unit of worth, exact: by the offers that it was planned with. */
  readonly plannedCost: Decimal;
  /** By what ended moves did and by the present offers of the others; what it really cost in the end. */
  readonly cost: Decimal;
  readonly maximumCost: Decimal;
  readonly superseded?: string;
}

export interface MoveReport {
  readonly planned: PlannedMove;
  readonly record: MoveRecord;
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
  const moves = plans.at(-1)?.moves ?? [];
  const hasSucceeded = moves.every(({ record }) => record.state === 'fulfilled');
  return {
    at,
    happening,
    state: happening.kind !== 'ended' ? 'running' : hasSucceeded ? 'done' : 'incomplete',
    plans: plans.map((one) => planReport(one, at, limits)),
  };
}

/** When a move that may have paid becomes late; nothing for all others. */
export function lateAt(move: MoveRecord, limits: ExecutionLimits): Micros | undefined {
  const { state, paying, changedAt, durationUs } = move;
  if (hasEnded(state) || !paying) return undefined;
  const within =
    state === 'deposited' ? Math.max(limits.depositedUs, 2 * durationUs) : limits.approvedUs;
  return micros(changedAt + within);
}

function planReport(
  { plan, moves, superseded }: JournaledPlan,
  at: Micros,
  limits: ExecutionLimits,
): PlanReport {
  const { id, prices, maximumCost } = plan;
  return {
    id,
    maximumCost,
    ...(superseded !== undefined && { superseded }),
    moves: plan.moves.flatMap((planned, index) => moveReport(planned, moves[index], at, limits)),
    plannedCost: sum(plan.moves.map(({ offer }) => costOf(offer, offer.expected, prices))),
    cost: sum(moves.map(({ record }) => foreseenCost(record, plan))),
  };
}

function moveReport(
  planned: PlannedMove,
  journaled: JournaledMove | undefined,
  at: Micros,
  limits: ExecutionLimits,
): readonly MoveReport[] {
  if (journaled === undefined) return [];
  const { record, step } = journaled;
  const late = at >= (lateAt(record, limits) ?? Infinity);
  return [{ planned, record, late, ...(step !== undefined && { step: step.name }) }];
}

const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, one) => total.plus(one), ZERO);
