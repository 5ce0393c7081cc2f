import type {
  PortfolioGateway,
  PortfolioListener,
  RebalanceRequest,
} from '../../engine/portfolio-gateway.ts';
import { Inventory } from '../../gateways/rebalancing/inventory.ts';
import { routesOf } from '../../gateways/rebalancing/simulated/routes.ts';
import { LocalRebalancer } from '../../gateways/rebalancing/simulated/local-rebalancer.ts';
import { valueOf } from '../../gateways/rebalancing/simulated/market-prices.ts';
import {
  initialHoldings,
  servicesVenue,
  SimulatedServices,
} from '../../gateways/rebalancing/simulated/services.ts';
import { LocalWire } from '../../gateways/rebalancing/simulated/wire.ts';
import { drawn } from '../../platform/span.ts';
import type { Latency, SimulatedVenue } from '../../gateways/simulated.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Holding, PriceOf } from '../../model/portfolio.ts';
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
  /** Receives the reports of the executor, and those of managed orders for which nothing is moved. */
  readonly observer: PortfolioObserver;
}

/** Who measures a portfolio. */
export interface PortfolioObserver {
  rebalance(report: RebalanceReport): void;
  unplanned(report: PortfolioReport): void;
  /** More or less of an asset is outside of the account than before. */
  outside(asset: string, amount: Decimal): void;
}

/**
 * The portfolio of a run: the services are those of this process, and the planner and executor are those of
 * a bot. Its reports wait for the end of `settle`.
 */
export class LocalPortfolio implements PortfolioGateway {
  readonly outside: SimulatedServices;
  readonly priceOf: PriceOf;
  readonly #clock: StillClock;
  readonly #random: Random;
  readonly #model: RunPortfolio;
  readonly #surroundings: PortfolioSurroundings;
  #inventory: Inventory | undefined;
  #news: (() => void)[] = [];
  /** When the last managed order arrives: none overtakes another. */
  #managedOrderAt = 0;

  private constructor(model: RunPortfolio, surroundings: PortfolioSurroundings) {
    const { scheduler, venue, marks, seed, observer } = surroundings;
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
    this.priceOf = valueOf(model.prices, prices, venue);
    this.outside = new SimulatedServices({
      model,
      scheduler: this.#clock,
      seed,
      priceOf: this.priceOf,
      venue: servicesVenue(venue, venue.instruments),
      holdings: initialHoldings(model),
      changed: (assets) => {
        for (const asset of assets) observer.outside(asset, this.outside.held(asset));
      },
    });
  }

  /**
   * Looks at what is held. Throws `config-invalid`, `symbol-unknown` and
   * `out-of-range` for a model that does not fit the run.
   */
  static async open(
    model: RunPortfolio,
    surroundings: PortfolioSurroundings,
  ): Promise<LocalPortfolio> {
    const portfolio = new LocalPortfolio(model, surroundings);
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
    const { account: location, prices } = this.#model;
    const assets = [...prices.keys()].filter((asset) => venue.holds(asset));
    const account = assets.map((asset) => {
      const amount = venue.available(asset).plus(this.outside.wallet.available(asset));
      return { asset, location, amount };
    });
    return [...this.outside.wallets, ...account];
  }

  connect(listener: PortfolioListener): void {
    const { observer } = this.#surroundings;
    this.#inventory?.connect({
      holdings: (holdings) => this.#news.push(() => listener.holdings(holdings)),
      report: (report) => {
        if (report.plan === undefined) observer.unplanned(report);
        this.#news.push(() => listener.report(report));
      },
    });
    this.emit();
  }

  /** A managed order arrives after the time that planning takes. */
  send(request: RebalanceRequest): void {
    const us = drawn(this.#model.planning, this.#random);
    this.#managedOrderAt = Math.max(this.#managedOrderAt, this.#clock.now() + us);
    this.#clock.at(micros(this.#managedOrderAt), () => this.#inventory?.send(request));
  }

  /** Does all that is due now; virtual time stands still meanwhile. */
  settle(): Promise<void> {
    return this.#clock.settle();
  }

  async #open(): Promise<void> {
    const { observer, ...surroundings } = this.#surroundings;
    const parts = { scheduler: this.#clock, priceOf: this.priceOf };
    const wire = new LocalWire(this.#clock, this.#random);
    const model = this.#model;
    const routes = routesOf({
      ...surroundings,
      ...parts,
      model,
      wire,
      limits: {},
      services: () => this.outside,
      instruments: surroundings.venue.instruments,
    });
    const holdings = (): readonly Holding[] => this.holdings();
    const journal = new MemoryJournal();
    this.#inventory = await Inventory.open(
      (emit) => {
        const listener = (report: RebalanceReport): void => {
          observer.rebalance(report);
          emit(report);
        };
        return Promise.resolve(
          new LocalRebalancer({ ...parts, routes, holdings, listener, journal }),
        );
      },
      { ...parts, everyUs: model.everyUs, log: SILENT, rejection: () => undefined },
    );
  }

  /** Emits the pending reports to the strategy. */
  emit(): void {
    const news = this.#news;
    this.#news = [];
    for (const one of news) one();
  }
}

/** What happens to transfers stands in the report of the run. */
const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};
