import type { InventoryRebalancer, InventoryPlan } from '../inventory.ts';
import type { Holding, PortfolioTargets, PriceOf } from '../../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import { isoTime } from '../../../platform/time.ts';
import type { TransferRoute } from '../../../swaps/execution/transfer-route.ts';
import { Executor } from '../../../swaps/execution/executor.ts';
import type { RebalanceJournal } from '../../../swaps/execution/journal.ts';
import type { RebalancePlan } from '../../../swaps/execution/plan.ts';
import type { RebalanceReport } from '../../../swaps/execution/report.ts';
import { replan, type PlanInput } from '../../../swaps/execution/stranded.ts';
import type { Plan } from '../../../swaps/planner/plan.ts';
import { plan } from '../../../swaps/planner/planner.ts';

interface LocalRebalancerParts {
  readonly scheduler: Scheduler;
  readonly routes: readonly TransferRoute[];
  readonly journal: RebalanceJournal;
  readonly priceOf: PriceOf;
  /** Present holdings at all locations. */
  readonly holdings: () => readonly Holding[];
  readonly listener: (report: RebalanceReport) => void;
  /** Called when nothing is unfinished, so that ended records may be deleted. */
  readonly idle?: () => void;
  /** Called when nothing more is to be started. */
  readonly closing?: () => void;
  /** Called when nothing is moved any more. */
  readonly closed?: () => void;
}

/** The planner and the executor of real rebalances over the services of this process. */
export class LocalRebalancer implements InventoryRebalancer {
  readonly #parts: LocalRebalancerParts;
  readonly #executor: Executor;
  /** Targets of the running rebalance; a replan uses them. */
  #targets: PortfolioTargets | undefined;
  #plans = 0;

  constructor(parts: LocalRebalancerParts) {
    const { scheduler, routes, listener, journal } = parts;
    this.#parts = parts;
    this.#executor = new Executor({
      scheduler,
      routes,
      listener,
      journal,
      replan: (report) => this.#replan(report),
    });
  }

  holdings(): Promise<readonly Holding[]> {
    return Promise.resolve(this.#parts.holdings());
  }

  async plan(targets: PortfolioTargets): Promise<InventoryPlan | Rejection> {
    const planned = await this.#plan({ targets, holdings: this.#parts.holdings() });
    return isRejection(planned) ? planned : { ...planned, leftOut: [] };
  }

  resume(): Promise<RebalanceReport> | undefined {
    const resumed = this.#executor.resume();
    if (resumed === undefined) this.#parts.idle?.();
    return resumed === undefined ? undefined : this.#followed(resumed);
  }

  execute(planned: RebalancePlan, targets: PortfolioTargets): Promise<RebalanceReport> {
    this.#targets = targets;
    return this.#followed(this.#executor.execute(planned));
  }

  supersede(why: string): Promise<RebalanceReport> | undefined {
    return this.#executor.supersede(why);
  }

  async close(): Promise<void> {
    const closed = this.#executor.close();
    this.#parts.closing?.();
    await closed;
    this.#parts.closed?.();
  }

  async #followed(rebalance: Promise<RebalanceReport>): Promise<RebalanceReport> {
    const report = await rebalance;
    if (report.state !== 'running') this.#parts.idle?.();
    return report;
  }

  async #replan(report: RebalanceReport): Promise<RebalancePlan | Rejection> {
    const { priceOf, holdings } = this.#parts;
    if (this.#targets === undefined) throw new RangeError('nothing was planned before');
    const outlook = { targets: this.#targets, holdings: holdings() };
    const planned = await replan(report, outlook, priceOf, (one) => this.#plan(one));
    return isRejection(planned) ? planned : planned.plan;
  }

  #plan(outlook: PlanInput): Promise<Plan | Rejection> {
    const { scheduler, routes, priceOf } = this.#parts;
    this.#plans += 1;
    return plan({
      id: `portfolio-${isoTime(scheduler.now()).replaceAll(/[-:]/g, '')}-${this.#plans}`,
      ...outlook,
      priceOf,
      routes,
      now: () => scheduler.now(),
    });
  }
}
