import type {
  PortfolioGateway,
  PortfolioListener,
  RebalanceRequest,
} from '../../engine/portfolio-gateway.ts';
import { Inventory } from '../../gateways/rebalancing/inventory.ts';
import { carriersOf } from '../../gateways/rebalancing/modelled/carriers.ts';
import { Journeys } from '../../gateways/rebalancing/modelled/journeys.ts';
import { ModelledMover } from '../../gateways/rebalancing/modelled/mover.ts';
import { Outside, outsideOf } from '../../gateways/rebalancing/modelled/outside.ts';
import { worthOf } from '../../gateways/rebalancing/modelled/prices.ts';
import { drawn } from '../../gateways/rebalancing/modelled/span.ts';
import type { Latency, SimulatedVenue } from '../../gateways/simulated.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Holding, Worth } from '../../model/portfolio.ts';
import { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { PortfolioReport } from '../../strategy/portfolio.ts';
import { MemoryJournal } from '../../swaps/execution/memory-journal.ts';
import type { RebalanceReport } from '../../swaps/execution/report.ts';
import type { Mark } from '../metrics/mark.ts';
import type { RunPortfolio } from './settings.ts';
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
  readonly #model: RunPortfolio;
  readonly #surroundings: PortfolioSurroundings;
  #inventory: Inventory | undefined;
  #news: (() => void)[] = [];
  /** When the last wish arrives: none overtakes another. */
  #wishAt = 0;

  private constructor(model: RunPortfolio, surroundings: PortfolioSurroundings) {
    const { scheduler, venue, marks, seed, witness } = surroundings;
    this.#model = model;
    this.#surroundings = surroundings;
    this.#clock = new StillClock(scheduler);
    this.#random = new Random(seed);
    const bySymbol = new Map(marks.map((mark) => [mark.instrument.symbol, mark]));
    const prices = {
      symbols: [...bySymbol.keys()],
      others: 'of which there is no recording; the run has',
      last: (symbol: string) => bySymbol.get(symbol)?.price(),
    };
    this.worth = worthOf(model.worth, prices, venue);
    this.outside = new Outside(outsideOf(model), venue, (asset) => {
      witness.outside(asset, this.outside.held(asset));
    });
  }

  /**
   * Looks at what is held. Throws `config-invalid`, `symbol-unknown` and
   * `out-of-range` for a model that does not fit the run.
   */
  static async open(
    model: RunPortfolio,
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
    const assets = [...worth.keys()].filter((asset) => venue.holds(asset));
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
    const journeys = new Journeys({ ...parts, random: this.#random });
    const model = this.#model;
    const carriers = carriersOf({
      ...{ ...surroundings, ...parts, model, journeys, limits: {} },
      instruments: surroundings.venue.instruments,
    });
    const holdings = (): readonly Holding[] => this.holdings();
    const journal = new MemoryJournal();
    this.#inventory = await Inventory.open(
      (tell) => {
        const listener = (report: RebalanceReport): void => {
          witness.rebalance(report);
          tell(report);
        };
        return Promise.resolve(
          new ModelledMover({ ...parts, carriers, holdings, listener, journal }),
        );
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

/** What happens to moves stands in the report of the run. */
const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};
