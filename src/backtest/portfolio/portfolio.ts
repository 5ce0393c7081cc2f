import type {
  PortfolioGateway,
  PortfolioListener,
  RebalanceRequest,
} from '../../engine/portfolio-gateway.ts';
import { Inventory } from '../../gateways/rebalancing/inventory.ts';
import type { Latency, SimulatedVenue } from '../../gateways/simulated.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Holding, Worth } from '../../model/portfolio.ts';
import { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { PortfolioReport } from '../../strategy/portfolio.ts';
import type { RebalanceReport } from '../../swaps/execution/report.ts';
import type { Mark } from '../metrics/mark.ts';
import { carriersOf } from './carriers.ts';
import { Journeys } from './journeys.ts';
import { ModelledMover } from './mover.ts';
import { Outside } from './outside.ts';
import { worthOf } from './prices.ts';
import type { PortfolioModel } from './settings.ts';
import { drawn } from './span.ts';
import { StillClock } from './still-clock.ts';

export interface PortfolioSurroundings {
  readonly scheduler: Scheduler;
  readonly venue: SimulatedVenue;
  readonly latency: Latency;
  readonly marks: readonly Mark[];
  readonly seed: number;
  /** Told of what the executor tells, and of what becomes of wishes that nothing is moved for. */
  readonly witness: PortfolioWitness;
}

/** Who measures a portfolio. */
export interface PortfolioWitness {
  rebalance(report: RebalanceReport): void;
  wish(report: PortfolioReport): void;
  /** More or less of an asset is outside of the account than before. */
  outside(asset: string, amount: Decimal): void;
}

/**
 * The portfolio of a run: wallets and carriers are modelled, and all that plans and leads moves is
 * what a bot has. What it tells waits for the end of `settle`.
 */
export class ModelledPortfolio implements PortfolioGateway {
  readonly outside: Outside;
  readonly worth: Worth;
  readonly #clock: StillClock;
  readonly #random: Random;
  readonly #model: PortfolioModel;
  readonly #surroundings: PortfolioSurroundings;
  #inventory: Inventory | undefined;
  #news: (() => void)[] = [];
  /** When the last wish arrives: none overtakes another. */
  #wishAt = 0;

  private constructor(model: PortfolioModel, surroundings: PortfolioSurroundings) {
    const { scheduler, venue, marks, seed, witness } = surroundings;
    this.#model = model;
    this.#surroundings = surroundings;
    this.#clock = new StillClock(scheduler);
    this.#random = new Random(seed);
    this.worth = worthOf(model.worth, marks, venue);
    this.outside = new Outside(walletsOf(model), venue, (asset) => {
      witness.outside(asset, this.outside.held(asset));
    });
  }

  /**
   * Looks at what is held. Throws `config-invalid`, `symbol-unknown` and
   * `out-of-range` for a model that does not fit the run.
   */
  static async open(
    model: PortfolioModel,
    surroundings: PortfolioSurroundings,
  ): Promise<ModelledPortfolio> {
    const portfolio = new ModelledPortfolio(model, surroundings);
    await portfolio.#open();
    return portfolio;
  }

  /** When it has something to do, +Infinity where it has not. */
  get nextAt(): number {
    return this.#clock.nextAt;
  }

  /** What can be moved: all of the wallets, and what is free at the account. */
  holdings(): readonly Holding[] {
    const { venue } = this.#surroundings;
    const { account: place, worth } = this.#model;
    const assets = [...worth.keys()].filter(
      (asset) => venue.exchange.ledger.find(asset) !== undefined,
    );
    const account = assets.map((asset) => ({ asset, place, amount: venue.available(asset) }));
    return [...this.outside.wallets, ...account];
  }

  connect(listener: PortfolioListener): void {
    const { witness } = this.#surroundings;
    this.#inventory?.connect({
      holdings: (holdings) => this.#news.push(() => listener.holdings(holdings)),
      report: (report) => {
        if (report.plan === undefined) witness.wish(report);
        this.#news.push(() => listener.report(report));
      },
    });
    this.tell();
  }

  /** A wish arrives after the time that planning takes. */
  send(request: RebalanceRequest): void {
    const us = drawn(this.#model.planning, this.#random);
    this.#wishAt = Math.max(this.#wishAt, this.#clock.now() + us);
    this.#clock.at(micros(this.#wishAt), () => this.#inventory?.send(request));
  }

  /** Does all that is due now; virtual time stands still meanwhile. */
  settle(): Promise<void> {
    return this.#clock.settle();
  }

  async #open(): Promise<void> {
    const { witness, ...surroundings } = this.#surroundings;
    const parts = { scheduler: this.#clock, worth: this.worth, outside: this.outside };
    const journeys = new Journeys(this.#clock, this.#random);
    const model = this.#model;
    const carriers = carriersOf({ ...surroundings, ...parts, model, journeys });
    const holdings = (): readonly Holding[] => this.holdings();
    this.#inventory = await Inventory.open(
      (tell) => {
        const listener = (report: RebalanceReport): void => {
          witness.rebalance(report);
          tell(report);
        };
        return Promise.resolve(new ModelledMover({ ...parts, carriers, holdings, listener }));
      },
      { ...parts, everyUs: model.everyUs, log: SILENT, refusal: () => undefined },
    );
  }

  /** Tells the strategy what there is to tell. */
  tell(): void {
    const news = this.#news;
    this.#news = [];
    for (const one of news) one();
  }
}

const walletsOf = ({ wallets }: PortfolioModel): readonly Holding[] =>
  [...wallets].flatMap(([place, assets]) =>
    [...assets].map(([asset, amount]) => ({ asset, place, amount })),
  );

/** What happens to moves stands in the report of the run. */
const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};
