import type { Holding, PortfolioTargets } from '../model/portfolio.ts';
import type { PortfolioReport } from '../strategy/portfolio.ts';

/** A target for a portfolio; its numbers have passed the rules. */
export interface RebalanceRequest {
  readonly kind: 'rebalance';
  readonly targets: PortfolioTargets;
}

/** Listener of a portfolio. */
export interface PortfolioListener {
  /** Holdings at all locations, after each change. */
  holdings(holdings: readonly Holding[]): void;
  report(report: PortfolioReport): void;
}

/**
 * Access of the engine to a strategy's holdings on chains and accounts. As with a venue, requests
 * return nothing: their results, rejections too, are reports.
 */
export interface PortfolioGateway {
  /** Sets the listener; called once, before the first request. Emits the known state at once. */
  connect(listener: PortfolioListener): void;
  /** The newest request counts: unpaid transfers of an older one are canceled. */
  send(request: RebalanceRequest): void;
}
