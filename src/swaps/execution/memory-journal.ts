import { MillraceError } from '../../model/errors.ts';
import type { JournaledTransfer, JournaledPlan, RebalanceJournal } from './journal.ts';
import type { TransferRecord } from './transfer-route.ts';
import type { RebalancePlan } from './plan.ts';

/** A journal in memory, for backtests. */
export class MemoryJournal implements RebalanceJournal {
  readonly #ids = new Set<string>();
  #plans: JournaledPlan[] = [];

  begin(plan: RebalancePlan, transfers: readonly TransferRecord[]): void {
    if (this.#ids.has(plan.id)) throw duplicatePlan(plan.id);
    this.#ids.add(plan.id);
    this.#plans.push({ plan, transfers: transfers.map((record) => ({ record })) });
  }

  write(transfer: JournaledTransfer): void {
    this.#change(transfer.record.plan, (plan) => ({
      ...plan,
      transfers: plan.transfers.map((one) =>
        one.record.id === transfer.record.id ? transfer : one,
      ),
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

/** The error for a plan whose id is known. */
export const duplicatePlan = (id: string): MillraceError =>
  new MillraceError('request-invalid', `There was a plan ${id} before; nothing was begun.`, {
    field: 'id',
  });
