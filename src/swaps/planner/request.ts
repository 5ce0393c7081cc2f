import type { Holding, PortfolioTargets, PriceOf } from '../../model/portfolio.ts';
import type { Micros } from '../../platform/time.ts';
import type { TransferRoute } from '../execution/transfer-route.ts';

/** What a planner knows of a route. */
export type OfferingRoute = Pick<TransferRoute, 'name' | 'pairs' | 'offer'>;

/** What a plan is made of. */
export interface PlanRequest {
  /** Id of the plan. */
  readonly id: string;
  readonly targets: PortfolioTargets;
  /**
   * A holding of the targets that is not among them holds nothing; what is not of the targets is
   * left alone.
   */
  readonly holdings: readonly Holding[];
  readonly priceOf: PriceOf;
  readonly routes: readonly OfferingRoute[];
  readonly now: () => Micros;
  /** True where holdings are brought to the edges of their bands and no further. */
  readonly toEdges?: boolean;
  /** `PLANNER_LIMITS` where absent. */
  readonly limits?: Partial<PlannerLimits>;
}

/** How much a planner asks and tries. */
export interface PlannerLimits {
  /** Offers that are asked for one plan, at the most; each pair and amount once. More for many pairs. */
  readonly offers: number;
  /** Offers that are asked at once. */
  readonly atOnce: number;
  /** Multiplications of all searches together, before the best found so far counts. */
  readonly work: number;
}

export const PLANNER_LIMITS: PlannerLimits = { offers: 200, atOnce: 4, work: 600_000_000 };
