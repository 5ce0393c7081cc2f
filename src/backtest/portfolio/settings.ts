import type { PortfolioModel } from '../../gateways/rebalancing/simulated/settings.ts';
import type { Span } from '../../platform/span.ts';

/** The inventory of a run, and the time that its planning takes. */
export interface RunPortfolio extends PortfolioModel {
  /** How often it is looked at what is held. */
  readonly everyUs: number;
  /** From the request to the offers that it is planned with. */
  readonly planning: Span;
}
