import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import {
  hasEnded,
  type Holding,
  type PortfolioTargets,
  type PriceOf,
} from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { isoTime } from '../../platform/time.ts';
import type { TransferRecord } from '../../swaps/execution/transfer-route.ts';
import { Executor } from '../../swaps/execution/executor.ts';
import type { RebalancePlan } from '../../swaps/execution/plan.ts';
import type { RebalanceReport } from '../../swaps/execution/report.ts';
import { replan, type PlanInput } from '../../swaps/execution/stranded.ts';
import type { Plan } from '../../swaps/planner/plan.ts';
import { plan } from '../../swaps/planner/planner.ts';
import type { LeftOut } from './answers.ts';
import { RebalancingJournal } from './journal.ts';
import { PlanningRoute } from './planning-route.ts';
import type { RebalancingSettings } from '../settings/rebalancing.ts';
import { keepShown, shownPlan } from './shown-plan.ts';
import { PortfolioTransfers } from './portfolio-transfers.ts';

export interface RebalancerSurroundings {
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Receives every report. */
  readonly listener?: (report: RebalanceReport) => void;
}

/** A plan with what it was made without. */
export interface PortfolioPlan extends Plan {
  readonly leftOut: readonly LeftOut[];
}

/** Plans rebalances of a portfolio and executes them, one at a time, across restarts. */
export class Rebalancer {
  readonly #settings: RebalancingSettings;
  readonly #surroundings: RebalancerSurroundings;
  readonly #portfolioTransfers: PortfolioTransfers;
  #journal: RebalancingJournal | undefined;
  #executor: Executor | undefined;
  /** Targets of the present rebalance, for further plans. */
  #targets: PortfolioTargets;

  private constructor(
    settings: RebalancingSettings,
    surroundings: RebalancerSurroundings,
    portfolioTransfers: PortfolioTransfers,
  ) {
    this.#settings = settings;
    this.#surroundings = surroundings;
    this.#portfolioTransfers = portfolioTransfers;
    this.#targets = settings.targets;
  }

  /** Reaches all services once; the journal is not opened before a plan is executed. */
  static async open(
    settings: RebalancingSettings,
    surroundings: RebalancerSurroundings,
  ): Promise<Rebalancer> {
    return new Rebalancer(
      settings,
      surroundings,
      await PortfolioTransfers.open(settings, surroundings),
    );
  }

  /** Present holdings at all locations. Throws where a location cannot be read, and names it. */
  async holdings(): Promise<readonly Holding[]> {
    return (await this.#portfolioTransfers.holdings()).holdings;
  }

  /**
   * A plan that brings the portfolio to its targets now; nothing is moved. A route whose service does
   * not answer correctly is left out. Throws where the holdings at a location of the targets, or the
   * price of one of their assets, cannot be read.
   */
  plan(targets: PortfolioTargets = this.#settings.targets): Promise<PortfolioPlan | Rejection> {
    return this.#plan(targets, (outlook, _, planned) => planned(outlook));
  }

  async #plan(targets: PortfolioTargets, by: PlanBy): Promise<PortfolioPlan | Rejection> {
    const { scheduler } = this.#surroundings;
    const [unreached, held] = await Promise.all([
      this.#portfolioTransfers.reach(),
      this.#portfolioTransfers.holdings(targets),
    ]);
    const { priceOf, leftOut: unpriced } = await this.#portfolioTransfers.priceOf(targets);
    const routes = this.#portfolioTransfers.routes
      .filter(({ name }) => !unreached.some((one) => one.name === name))
      .map((one) => new PlanningRoute(one, scheduler, priceOf));
    const planned = await by({ targets, holdings: held.holdings }, priceOf, (outlook) =>
      plan({
        id: `${this.#settings.name}-${isoTime(scheduler.now()).replaceAll(/[-:]/g, '')}`,
        ...outlook,
        priceOf,
        routes,
        now: () => scheduler.now(),
      }),
    );
    const failed = routes.map((one) => one.leftOut).filter((one) => one !== undefined);
    const leftOut = [...unreached, ...held.leftOut, ...unpriced, ...failed];
    return isRejection(planned) ? withLeftOut(planned, leftOut) : { ...planned, leftOut };
  }

  /**
   * Transfers that have not ended, of this or another process. What they move is in no holding now.
   * Throws `journal-invalid`.
   */
  underWay(): readonly TransferRecord[] {
    return RebalancingJournal.look(this.#path)
      .flatMap(({ transfers }) => transfers.map(({ record }) => record))
      .filter(({ state }) => !hasEnded(state));
  }

  /**
   * Resumes the rebalance of an earlier process; `undefined` where there is none. Throws
   * `journal-locked` where another process has the journal.
   */
  resume(): Promise<RebalanceReport> | undefined {
    return this.#carryOut().resume();
  }

  /**
   * Executes a plan; after failed transfers, another plan for its targets follows. Throws
   * `request-invalid` while another one is under way.
   */
  execute(
    planned: RebalancePlan,
    targets: PortfolioTargets = this.#settings.targets,
  ): Promise<RebalanceReport> {
    const carriedOut = this.#carryOut().execute(planned);
    this.#targets = targets;
    return carriedOut;
  }

  /** Keeps a plan that is shown, so that it can be confirmed by its id. Throws `journal-unwritable`. */
  keepShown({ plan: shown }: Plan): void {
    makeFolder(this.#settings.data);
    keepShown(this.#shownPath, shown);
  }

  /** The plan shown last. Throws `usage` where its id is another one or it is too old. */
  shown(id: string): RebalancePlan {
    return shownPlan(this.#shownPath, id, this.#surroundings.scheduler.now());
  }

  /** Gives up unpaid transfers. */
  supersede(why: string): Promise<RebalanceReport> | undefined {
    return this.#executor?.supersede(why);
  }

  /** Begins no further step and resolves when present ones are done; `resume` goes on later. */
  async close(): Promise<void> {
    await this.#executor?.close();
    this.#journal?.close();
    await this.#portfolioTransfers.close();
  }

  get #path(): string {
    return join(this.#settings.data, `${this.#settings.name}.sqlite`);
  }

  get #shownPath(): string {
    return join(this.#settings.data, `${this.#settings.name}.plan.json`);
  }

  #carryOut(): Executor {
    if (this.#executor !== undefined) return this.#executor;
    const { scheduler, listener } = this.#surroundings;
    const { data, name } = this.#settings;
    makeFolder(data);
    this.#journal = RebalancingJournal.open(this.#path, { scheduler, holder: name });
    this.#executor = new Executor({
      scheduler,
      journal: this.#journal,
      routes: this.#portfolioTransfers.routes,
      listener,
      replan: async (report) => {
        const planned = await this.#plan(this.#targets, (...parts) => replan(report, ...parts));
        return isRejection(planned) ? planned : planned.plan;
      },
    });
    return this.#executor;
  }
}

/** Makes a plan from present holdings. */
type PlanBy = (
  outlook: PlanInput,
  priceOf: PriceOf,
  plan: (outlook: PlanInput) => Promise<Plan | Rejection>,
) => Promise<Plan | Rejection>;

/** Adds to a rejection what was left out, which may be the reason. */
function withLeftOut(rejection: Rejection, leftOut: readonly LeftOut[]): Rejection {
  const words = leftOut.map(({ name, why }) => ` ${name} is left out: ${why}`);
  return { ...rejection, message: `${rejection.message}${words.join('')}` };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const sentence = `The folder ${path} of the journal cannot be made.`;
    throw new MillraceError('journal-unwritable', sentence, { where: path, cause });
  }
}
