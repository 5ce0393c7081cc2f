import type { PortfolioModel } from '../../gateways/rebalancing/modelled/settings.ts';
import type { Span } from '../../gateways/rebalancing/modelled/span.ts';

/** The inventory of a run, and the time that its planning takes. */
export interface RunPortfolio extends PortfolioModel {
  /** How often it is looked at what is held. */
  readonly everyUs: number;
  /** From a wish to the offers that it is planned with. */
  readonly planning: Span;
}
