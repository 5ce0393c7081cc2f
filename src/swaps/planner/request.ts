import type { Holding, PortfolioTargets, PriceOf } from '../../model/portfolio.ts';
import type { Micros } from '../../platform/time.ts';
import type { TransferRoute } from '../execution/transfer-route.ts';

/** The part of a route that a planner needs. */
export type OfferingRoute = Pick<TransferRoute, 'name' | 'pairs' | 'offer'>;

export interface PlanRequest {
  /** Id of the plan. */
  readonly id: string;
  readonly targets: PortfolioTargets;
  /** A target that is missing here holds nothing; holdings without a target are left alone. */
  readonly holdings: readonly Holding[];
  readonly priceOf: PriceOf;
  readonly routes: readonly OfferingRoute[];
  readonly now: () => Micros;
  /** True to bring holdings to the edges of their bands and no further. */
  readonly toEdges?: boolean;
  /** `PLANNER_LIMITS` where absent. */
  readonly limits?: Partial<PlannerLimits>;
}

/** Limits of the effort for one plan. */
export interface PlannerLimits {
  /** Offers requested, each pair and amount once; `plan` allows more for many pairs. */
  readonly offers: number;
  /** Requests at the same time. */
  readonly atOnce: number;
  /** Multiplications of all searches, after which the best found so far is taken. */
  readonly work: number;
}

export const PLANNER_LIMITS: PlannerLimits = { offers: 200, atOnce: 4, work: 600_000_000 };
