import type { Holding, PortfolioTargets } from '../model/portfolio.ts';
import type { PortfolioReport } from '../strategy/portfolio.ts';

/** A target for a portfolio; its numbers have passed the rules. */
export interface RebalanceRequest {
  readonly kind: 'rebalance';
  readonly targets: PortfolioTargets;
}

/** Listener of a portfolio. */
export interface PortfolioListener {
  /** What is held at all locations, whenever it has changed. */
  holdings(holdings: readonly Holding[]): void;
  report(report: PortfolioReport): void;
}

/**
 * How the engine reaches the inventory of a strategy over chains and accounts. As with a venue,
 * requests never answer: what becomes of them, a rejection too, is a report.
 */
export interface PortfolioGateway {
  /** Sets the listener; called once, before the first request. What is already known is emitted at once. */
  connect(listener: PortfolioListener): void;
  /** The newest request counts: what an older one asked for and nobody has paid yet is given up. */
  send(request: RebalanceRequest): void;
}
