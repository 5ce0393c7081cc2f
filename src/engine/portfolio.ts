import type { Observable } from 'rxjs';
import { decimal, ZERO } from '../model/decimal.ts';
import {
  parseHoldingKey,
  type Holding,
  type PortfolioTargets,
  type HoldingTarget,
} from '../model/portfolio.ts';
import type { Rejection } from '../model/rejections.ts';
import { portfolioTargetsRejection } from '../rules/portfolio-targets.ts';
import type { Portfolio, PortfolioReport, Rebalance } from '../strategy/portfolio.ts';
import type { Emit } from './audit.ts';
import { MarketTopic } from './market/topic.ts';
import type { RebalanceRequest } from './portfolio-gateway.ts';

interface PortfolioViewDependencies {
  readonly emit: Emit;
  /** Sends requests; absent without a portfolio. */
  readonly send: ((request: RebalanceRequest) => void) | undefined;
}

/** The portfolio as one strategy sees it, and its rebalances. */
export class PortfolioView implements Portfolio {
  readonly #dependencies: PortfolioViewDependencies;
  #present: readonly Holding[] | undefined;
  readonly #holdings = new MarketTopic(() => this.#present);
  #last: PortfolioReport | undefined;
  readonly #reports = new MarketTopic(() => this.#last);

  constructor(dependencies: PortfolioViewDependencies) {
    this.#dependencies = dependencies;
  }

  holdings(): Observable<readonly Holding[]> {
    return this.#holdings.$;
  }

  rebalances(): Observable<PortfolioReport> {
    return this.#reports.$;
  }

  /** Sends the request of a valid command, or returns why not. */
  want(command: Rebalance): Rejection | undefined {
    const { send, emit } = this.#dependencies;
    const targets = targetsOf(command);
    const rejection = portfolioTargetsRejection(targets);
    if (rejection !== undefined) return rejection;
    if (send === undefined) return MISSING;
    const request: RebalanceRequest = { kind: 'rebalance', targets };
    emit({ kind: 'rebalance', request });
    send(request);
    return undefined;
  }

  /** Sets and emits the holdings. */
  hold(holdings: readonly Holding[]): void {
    this.#dependencies.emit({ kind: 'holdings', holdings });
    this.#present = holdings;
    this.#holdings.emit(holdings);
  }

  /** Emits a report of a rebalance. */
  report(report: PortfolioReport): void {
    this.#dependencies.emit({ kind: 'rebalance-report', report });
    this.#last = report;
    this.#reports.emit(report);
  }
}

const MISSING: Rejection = {
  code: 'portfolio-missing',
  message:
    'There is no portfolio here: describe one in `portfolio` of the configuration of a backtest, or in `portfolio.paper` of that of a paper bot, or name its configuration in `portfolio.config` of that of a live bot.',
};

function targetsOf({ targets, minimumValue, maximumCost, slippage }: Rebalance): PortfolioTargets {
  const holdings = Object.entries(targets).flatMap(([name, target]): readonly HoldingTarget[] => {
    const holding = parseHoldingKey(name);
    if (holding === undefined) return [];
    const { weight, amount, band, reserve } = target;
    const rest = { band: decimal(band), reserve: reserve === undefined ? ZERO : decimal(reserve) };
    return weight === undefined
      ? [{ ...holding, amount: decimal(amount), ...rest }]
      : [{ ...holding, weight: decimal(weight), ...rest }];
  });
  return {
    holdings,
    minimumValue: decimal(minimumValue),
    maximumCost: decimal(maximumCost),
    ...(slippage === undefined ? {} : { slippage: decimal(slippage) }),
  };
}
