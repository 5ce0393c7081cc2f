import type { PortfolioModel } from '../../gateways/rebalancing/simulated/settings.ts';
import type { Span } from '../../platform/span.ts';

/** The portfolio of a run, and its planning time. */
export interface RunPortfolio extends PortfolioModel {
  /** How often holdings are read. */
  readonly everyUs: number;
  /** From the request to the quotes of its plan. */
  readonly planning: Span;
}
