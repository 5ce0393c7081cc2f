import { MillraceError } from '../../model/errors.ts';
import type { JournaledMove, JournaledPlan, RebalanceJournal } from './journal.ts';
import type { MoveRecord } from './carrier.ts';
import type { RebalancePlan } from './plan.ts';

/** A journal that is gone with its process: for backtests, and where nothing real is moved. */
export class MemoryJournal implements RebalanceJournal {
  readonly #ids = new Set<string>();
  #plans: JournaledPlan[] = [];

  begin(plan: RebalancePlan, moves: readonly MoveRecord[]): void {
    if (this.#ids.has(plan.id)) throw planTaken(plan.id);
    this.#ids.add(plan.id);
    this.#plans.push({ plan, moves: moves.map((record) => ({ record })) });
  }

  write(move: JournaledMove): void {
    this.#change(move.record.plan, (plan) => ({
      ...plan,
      moves: plan.moves.map((one) => (one.record.id === move.record.id ? move : one)),
    }));
  }

  supersede(id: string, why: string): void {
    this.#change(id, (plan) => ({ ...plan, superseded: why }));
  }

  end(): void {
    this.#plans = [];
  }

  underWay(): readonly JournaledPlan[] {
    return [...this.#plans];
  }

  #change(id: string, change: (plan: JournaledPlan) => JournaledPlan): void {
    this.#plans = this.#plans.map((one) => (one.plan.id === id ? change(one) : one));
  }
}

/** Why a plan is not begun: one of its id was there before. */
export const planTaken = (id: string): MillraceError =>
  new MillraceError('request-invalid', `There was a plan ${id} before; nothing was begun.`, {
    field: 'id',
  });
