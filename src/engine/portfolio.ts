import type { Observable } from 'rxjs';
import { decimal, ZERO } from '../model/decimal.ts';
import {
  parseSlot,
  type Holding,
  type PortfolioTargets,
  type SlotTarget,
} from '../model/portfolio.ts';
import type { Refusal } from '../model/refusals.ts';
import { portfolioTargetsRefusal } from '../rules/portfolio-targets.ts';
import type { Portfolio, PortfolioReport, Rebalance } from '../strategy/portfolio.ts';
import type { Tell } from './audit.ts';
import { Topic } from './market/topic.ts';
import type { RebalanceRequest } from './portfolio-gateway.ts';

interface Surroundings {
  readonly tell: Tell;
  /** Where requests go; absent where there is no portfolio. */
  readonly send: ((request: RebalanceRequest) => void) | undefined;
}

/** The portfolio as one strategy sees it, and its way to wish something of it. */
export class PortfolioView implements Portfolio {
  readonly #surroundings: Surroundings;
  #present: readonly Holding[] | undefined;
  readonly #holdings = new Topic(() => this.#present);
  #last: PortfolioReport | undefined;
  readonly #reports = new Topic(() => this.#last);

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  holdings(): Observable<readonly Holding[]> {
    return this.#holdings.$;
  }

  rebalances(): Observable<PortfolioReport> {
    return this.#reports.$;
  }

  /** Asks for what a command of good form says, or gives the reason why not. */
  want(command: Rebalance): Refusal | undefined {
    const { send, tell } = this.#surroundings;
    const targets = targetsOf(command);
    const refusal = portfolioTargetsRefusal(targets);
    if (refusal !== undefined) return refusal;
    if (send === undefined) return MISSING;
    const request: RebalanceRequest = { kind: 'rebalance', targets };
    tell({ kind: 'rebalance', request });
    send(request);
    return undefined;
  }

  /** Takes what is held now and shows it. */
  hold(holdings: readonly Holding[]): void {
    this.#surroundings.tell({ kind: 'holdings', holdings });
    this.#present = holdings;
    this.#holdings.emit(holdings);
  }

  /** Shows what has become of a rebalance. */
  report(report: PortfolioReport): void {
    this.#surroundings.tell({ kind: 'rebalance-report', report });
    this.#last = report;
    this.#reports.emit(report);
  }
}

const MISSING: Refusal = {
  code: 'portfolio-missing',
  message:
    'There is no portfolio here: describe one in `portfolio` of the configuration of a backtest, or in `portfolio.paper` of that of a paper bot, or name its configuration in `portfolio.config` of that of a live bot.',
};

function targetsOf({ targets, minimumWorth, maximumCost, slippage }: Rebalance): PortfolioTargets {
  const slots = Object.entries(targets).flatMap(([name, target]): readonly SlotTarget[] => {
    const slot = parseSlot(name);
    if (slot === undefined) return [];
    const { weight, amount, band, reserve } = target;
    const rest = { band: decimal(band), reserve: reserve === undefined ? ZERO : decimal(reserve) };
    return weight === undefined
      ? [{ ...slot, amount: decimal(amount), ...rest }]
      : [{ ...slot, weight: decimal(weight), ...rest }];
  });
  return {
    ...{ slots, minimumWorth: decimal(minimumWorth), maximumCost: decimal(maximumCost) },
    ...(slippage === undefined ? {} : { slippage: decimal(slippage) }),
  };
}
