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

export interface PortfolioDependencies {
  readonly scheduler: Scheduler;
  readonly venue: SimulatedVenue;
  readonly latency: Latency;
  readonly marks: readonly Mark[];
  readonly seed: number;
  /** Receives the reports of the executor, and those of managed orders without transfers. */
  readonly observer: PortfolioObserver;
}

/** Measures a portfolio. */
export interface PortfolioObserver {
  rebalance(report: RebalanceReport): void;
  unplanned(report: PortfolioReport): void;
  /** The amount of an asset outside the account changed. */
  outside(asset: string, amount: Decimal): void;
}

/**
 * The portfolio of a run, with simulated services and the planner and executor of a bot. Its
 * reports wait for the end of `settle`.
 */
export class LocalPortfolio implements PortfolioGateway {
  readonly outside: SimulatedServices;
  readonly priceOf: PriceOf;
  readonly #clock: StillClock;
  readonly #random: Random;
  readonly #model: RunPortfolio;
  readonly #dependencies: PortfolioDependencies;
  #inventory: Inventory | undefined;
  #news: (() => void)[] = [];
  /** Arrival time of the last managed order, which later ones cannot overtake. */
  #managedOrderAt = 0;

  private constructor(model: RunPortfolio, dependencies: PortfolioDependencies) {
    const { scheduler, venue, marks, seed, observer } = dependencies;
    this.#model = model;
    this.#dependencies = dependencies;
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
   * Reads the holdings. Throws `config-invalid`, `symbol-unknown` and `out-of-range` for a model
   * that does not fit the run.
   */
  static async open(
    model: RunPortfolio,
    dependencies: PortfolioDependencies,
  ): Promise<LocalPortfolio> {
    const portfolio = new LocalPortfolio(model, dependencies);
    await portfolio.#open();
    return portfolio;
  }

  /** Time of its next work, +Infinity without any. */
  get nextAt(): number {
    return this.#clock.nextAt;
  }

  /** Transferable holdings: all of the wallets, and the free balance of the account. */
  holdings(): readonly Holding[] {
    const { venue } = this.#dependencies;
    const { account: location, prices } = this.#model;
    const assets = [...prices.keys()].filter((asset) => venue.holds(asset));
    const account = assets.map((asset) => {
      const amount = venue.available(asset).plus(this.outside.wallet.available(asset));
      return { asset, location, amount };
    });
    return [...this.outside.wallets, ...account];
  }

  connect(listener: PortfolioListener): void {
    const { observer } = this.#dependencies;
    this.#inventory?.connect({
      holdings: (holdings) => this.#news.push(() => listener.holdings(holdings)),
      report: (report) => {
        if (report.plan === undefined) observer.unplanned(report);
        this.#news.push(() => listener.report(report));
      },
    });
    this.emit();
  }

  /** A managed order arrives after the planning time. */
  send(request: RebalanceRequest): void {
    const us = drawn(this.#model.planning, this.#random);
    this.#managedOrderAt = Math.max(this.#managedOrderAt, this.#clock.now() + us);
    this.#clock.at(micros(this.#managedOrderAt), () => this.#inventory?.send(request));
  }

  /** Does all that is due now, while virtual time stops. */
  settle(): Promise<void> {
    return this.#clock.settle();
  }

  async #open(): Promise<void> {
    const { observer, ...dependencies } = this.#dependencies;
    const parts = { scheduler: this.#clock, priceOf: this.priceOf };
    const wire = new LocalWire(this.#clock, this.#random);
    const model = this.#model;
    const routes = routesOf({
      ...dependencies,
      ...parts,
      model,
      wire,
      limits: {},
      services: () => this.outside,
      instruments: dependencies.venue.instruments,
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

/** Transfers are logged in the report of the run. */
const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};
