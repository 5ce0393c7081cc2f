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
import { planAnew, type Outlook } from '../../swaps/execution/stranded.ts';
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
  /** Told of everything that happens to transfers. */
  readonly listener?: (report: RebalanceReport) => void;
}

/** A plan, and what it was made without. */
export interface PortfolioPlan extends Plan {
  readonly leftOut: readonly LeftOut[];
}

/** Plans rebalances of a portfolio and carries them out, one at a time, across restarts. */
export class Rebalancer {
  readonly #settings: RebalancingSettings;
  readonly #surroundings: RebalancerSurroundings;
  readonly #portfolioTransfers: PortfolioTransfers;
  #journal: RebalancingJournal | undefined;
  #executor: Executor | undefined;
  /** What is carried out now, to plan anew by. */
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

  /** Reaches all services once; the journal is not touched before something is carried out. */
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

  /** What is held now at all locations. Throws where a location cannot be read, and names it. */
  async holdings(): Promise<readonly Holding[]> {
    return (await this.#portfolioTransfers.holdings()).holdings;
  }

  /**
   * What would bring the portfolio to its targets now; asks services and moves nothing. A route
   * whose service does not answer, or not as it should, is left out. Throws where what is held at a
   * location of the targets cannot be read, or what one of their assets is worth.
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
    const { priceOf, leftOut: worthless } = await this.#portfolioTransfers.priceOf(targets);
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
    const leftOut = [...unreached, ...held.leftOut, ...worthless, ...failed];
    return isRejection(planned) ? withLeftOut(planned, leftOut) : { ...planned, leftOut };
  }

  /**
   * Transfers that have not ended, of a process that has ended or still goes on. What is on its way
   * by them is in no holding now. Throws `journal-invalid`.
   */
  underWay(): readonly TransferRecord[] {
    return RebalancingJournal.look(this.#path)
      .flatMap(({ transfers }) => transfers.map(({ record }) => record))
      .filter(({ state }) => !hasEnded(state));
  }

  /**
   * Goes on with what was under way when the last process ended; nothing where nothing was. Throws
   * `journal-locked` where another process carries out rebalances by the same journal.
   */
  resume(): Promise<RebalanceReport> | undefined {
    return this.#carryOut().resume();
  }

  /**
   * Carries a plan out; after transfers that fail, what it was planned for is planned anew. Throws
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

  /** Keeps a plan that is shown to a person, who may confirm it by its id. Throws `journal-unwritable`. */
  keepShown({ plan: shown }: Plan): void {
    makeFolder(this.#settings.data);
    keepShown(this.#shownPath, shown);
  }

  /** The plan that was shown under an id. Throws `usage` where it was not the last one, or is too old. */
  shown(id: string): RebalancePlan {
    return shownPlan(this.#shownPath, id, this.#surroundings.scheduler.now());
  }

  /** Gives up what is not paid yet. */
  supersede(why: string): Promise<RebalanceReport> | undefined {
    return this.#executor?.supersede(why);
  }

  /** Begins nothing more; what is being done is done when it resolves, and the rest goes on later. */
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
        const planned = await this.#plan(this.#targets, (...parts) => planAnew(report, ...parts));
        return isRejection(planned) ? planned : planned.plan;
      },
    });
    return this.#executor;
  }
}

/** How a plan is made of what is held. */
type PlanBy = (
  outlook: Outlook,
  priceOf: PriceOf,
  plan: (outlook: Outlook) => Promise<Plan | Rejection>,
) => Promise<Plan | Rejection>;

/** A rejection that tells what it was planned without, as that may be why. */
function withLeftOut(rejection: Rejection, leftOut: readonly LeftOut[]): Rejection {
  const words = leftOut.map(({ name, why }) => ` ${name} is left out: ${why}`);
  return { ...rejection, message: `${rejection.message}${words.join('')}` };
}

/** Makes the folder of the journal where there is none. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const sentence = `The folder ${path} of the journal cannot be made.`;
    throw new MillraceError('journal-unwritable', sentence, { where: path, cause });
  }
}
