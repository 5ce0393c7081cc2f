import type {
  PortfolioGateway,
  PortfolioListener,
  RebalanceRequest,
} from '../../engine/portfolio-gateway.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName, type Holding, type PortfolioTargets } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { PortfolioReport } from '../../strategy/portfolio.ts';
import type { RebalancePlan } from '../../swaps/execution/plan.ts';
import type { RebalanceReport } from '../../swaps/execution/report.ts';
import { isSameTargets, portfolioReport } from './portfolio-report.ts';

/** Plans transfers and executes them, one rebalance at a time: with services, or modelled. */
export interface InventoryRebalancer {
  /** Present holdings at all locations. */
  holdings(): Promise<readonly Holding[]>;
  /** A plan that brings the portfolio to targets now, and what it had to leave out. */
  plan(targets: PortfolioTargets): Promise<InventoryPlan | Rejection>;
  /** Continues the paid transfers of a previous run; nothing if there are none. */
  resume(): Promise<RebalanceReport> | undefined;
  execute(plan: RebalancePlan, targets: PortfolioTargets): Promise<RebalanceReport>;
  /** Cancels the unpaid transfers. */
  supersede(why: string): Promise<RebalanceReport> | undefined;
  close(): Promise<void>;
}

export interface InventoryPlan {
  readonly plan: RebalancePlan;
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

export interface InventoryDependencies {
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** How often holdings are read. */
  readonly everyUs: number;
  /** Why no new transfer may start now; nothing if it may. */
  rejection(): Rejection | undefined;
}

/**
 * The portfolio of one strategy, reported to it and rebalanced to its targets, in a backtest as in a bot.
 * The newest managed order counts. Paid transfers of a previous run are completed from the start on; unpaid
 * ones are canceled, as strategies set new targets.
 */
export class Inventory implements PortfolioGateway {
  readonly #rebalancer: InventoryRebalancer;
  readonly #dependencies: InventoryDependencies;
  #listener: PortfolioListener | undefined;
  #holdings: readonly Holding[] = [];
  #last: PortfolioReport | undefined;
  /** The next targets, and the targets of the running rebalance. */
  #wanted: PortfolioTargets | undefined;
  #present: PortfolioTargets | undefined;
  /** Resolves when nothing is planned or running. */
  #work: Promise<void> | undefined;
  #looking: Promise<void> = Promise.resolve();
  #cancelLook: Cancel = () => undefined;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  private constructor(rebalancer: InventoryRebalancer, dependencies: InventoryDependencies) {
    this.#rebalancer = rebalancer;
    this.#dependencies = dependencies;
  }

  /**
   * Opens the rebalancer, reads the holdings and continues paid transfers. Throws their errors, with
   * nothing left open.
   */
  static async open(
    openRebalancer: (listener: (report: RebalanceReport) => void) => Promise<InventoryRebalancer>,
    dependencies: InventoryDependencies,
  ): Promise<Inventory> {
    const received: { inventory?: Inventory } = {};
    const rebalancer = await openRebalancer((report) => {
      if (received.inventory !== undefined) received.inventory.#receive(report);
    });
    const inventory = new Inventory(rebalancer, dependencies);
    received.inventory = inventory;
    try {
      await inventory.#open();
      return inventory;
    } catch (error) {
      await inventory.close();
      throw error;
    }
  }

  /** Holdings of the last read, and the last report. */
  get status(): {
    readonly holdings: readonly Holding[];
    readonly last: PortfolioReport | undefined;
  } {
    return { holdings: this.#holdings, last: this.#last };
  }

  connect(listener: PortfolioListener): void {
    this.#listener = listener;
    listener.holdings(this.#holdings);
    if (this.#last !== undefined) listener.report(this.#last);
  }

  send({ targets }: RebalanceRequest): void {
    const rejection = this.#dependencies.rejection();
    if (rejection !== undefined) {
      this.#refuse(rejection);
      return;
    }
    this.#wanted = targets;
    if (this.#present !== undefined && isSameTargets(this.#present, targets)) {
      this.#wanted = undefined;
      return;
    }
    this.#cancelUnpaid('The strategy wishes something else.');
    this.#start();
  }

  /** Cancels unpaid transfers if no new one may start any more. */
  stateChanged(): void {
    const rejection = this.#dependencies.rejection();
    if (rejection === undefined) return;
    this.#wanted = undefined;
    this.#cancelUnpaid(rejection.message);
  }

  /** Processes an executor's report. */
  #receive(report: RebalanceReport): void {
    const { kind, message } = report.happening;
    const isWrong = kind === 'trouble' || kind === 'late';
    this.#dependencies.log[isWrong ? 'warn' : 'info'](`Rebalancing: ${message}`);
    this.#report(portfolioReport(report));
  }

  /**
   * Starts nothing more; the next start continues unfinished transfers. A second call waits for the first.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#wanted = undefined;
    this.#cancelLook();
    await this.#looking;
    await this.#rebalancer.close();
    await this.#work;
  }

  async #open(): Promise<void> {
    this.#holdings = await this.#rebalancer.holdings();
    const resumed = this.#rebalancer.resume();
    if (resumed !== undefined) {
      this.#supersede('It was started anew, and the strategy wishes anew.');
      this.#work = resumed.then(() => this.#readHoldings()).finally(() => this.#ended());
    }
    this.#readLater();
  }

  #readLater(): void {
    if (this.#isClosed) return;
    const { scheduler, everyUs } = this.#dependencies;
    this.#cancelLook = scheduler.at(micros(scheduler.now() + everyUs), () => {
      this.#looking = this.#readHoldings().finally(() => this.#readLater());
    });
  }

  /** Reports holdings that have changed. */
  async #readHoldings(): Promise<void> {
    try {
      const holdings = await this.#rebalancer.holdings();
      if (this.#isClosed || textOf(holdings) === textOf(this.#holdings)) return;
      this.#holdings = holdings;
      this.#listener?.holdings(holdings);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#dependencies.log.warn(`What the portfolio holds cannot be seen now: ${why}`);
    }
  }

  #start(): void {
    if (this.#wanted === undefined || this.#isClosed) return;
    this.#work ??= this.#rebalance().finally(() => this.#ended());
  }

  #ended(): void {
    this.#work = undefined;
    this.#start();
  }

  /** Plans for the targets and executes the plan; resolves when that has ended, in any way. */
  async #rebalance(): Promise<void> {
    const targets = this.#wanted;
    if (targets === undefined) return;
    this.#wanted = undefined;
    this.#present = targets;
    try {
      const planned = await this.#rebalancer.plan(targets);
      // Canceled meanwhile, for newer targets or another state.
      if (this.#isClosed || this.#present !== targets) return;
      const rejection =
        this.#dependencies.rejection() ?? (isRejection(planned) ? planned : undefined);
      if (rejection !== undefined) this.#refuse(rejection);
      else if (!isRejection(planned) && planned.plan.transfers.length === 0) this.#balanced();
      else if (!isRejection(planned)) {
        this.#warnOf(planned);
        await this.#rebalancer.execute(planned.plan, targets);
        await this.#readHoldings();
      }
    } catch (error) {
      if (!this.#isClosed) this.#refuse(rejectionOf(error));
    } finally {
      this.#present = undefined;
    }
  }

  #warnOf({ leftOut }: InventoryPlan): void {
    for (const { name, why } of leftOut) {
      this.#dependencies.log.warn(`Rebalancing goes on without ${name}: ${why}`);
    }
  }

  #cancelUnpaid(why: string): void {
    if (this.#present === undefined) return;
    this.#present = undefined;
    this.#supersede(why);
  }

  #supersede(why: string): void {
    try {
      // Resolves with the rebalance itself, which is awaited where it was started.
      void this.#rebalancer.supersede(why);
    } catch (error) {
      this.#dependencies.log.warn(
        `What is not paid is given up, which the journal does not say yet: ${sentenceOf(error)}`,
      );
    }
  }

  #refuse(rejection: Rejection): void {
    const { log, scheduler } = this.#dependencies;
    log.warn(`The rebalance was refused: ${rejection.message}`, { rejection });
    const { message } = rejection;
    this.#report({ at: scheduler.now(), state: 'refused', message, rejection, transfers: [] });
  }

  #balanced(): void {
    const message = 'Every holding is in its band; nothing is moved.';
    const at = this.#dependencies.scheduler.now();
    this.#report({ at, state: 'balanced', message, transfers: [] });
  }

  #report(report: PortfolioReport): void {
    this.#last = report;
    this.#listener?.report(report);
  }
}

const textOf = (holdings: readonly Holding[]): string =>
  holdings
    .map((one) => `${holdingName(one)} ${one.amount.toFixed()}`)
    .sort()
    .join('\n');

const rejectionOf = (error: unknown): Rejection => {
  const isJournal = error instanceof MillraceError && error.code.startsWith('journal-');
  const code = isJournal ? 'journal-failed' : 'venue-unreachable';
  return { code, message: sentenceOf(error) };
};

const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
