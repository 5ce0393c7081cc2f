import { Decimal, ZERO } from '../../model/decimal.ts';
import type { PortfolioTargets } from '../../model/portfolio.ts';
import type { LedgerRow } from './ledger.ts';

const HALF = new Decimal('0.5');

/**
 * Targets with narrower bands, by which the planner looks for transfers first. A holding at the edge
 * of its band leaves it with the next price, by less than a transfer costs. So a holding outside its
 * band is brought half way into it, and one inside its band gives or takes half of its room at most.
 */
export const innerTargetsOf = (
  targets: PortfolioTargets,
  before: readonly LedgerRow[],
): PortfolioTargets => ({
  ...targets,
  holdings: targets.holdings.map((holding, index) => {
    const row = before[index];
    const distance = row.isIn ? Decimal.min(holding.band, distanceOf(row)) : ZERO;
    return { ...holding, band: holding.band.plus(distance).times(HALF) };
  }),
});

/** How far a holding is from its target, in the unit of its band. */
const distanceOf = (row: LedgerRow): Decimal =>
  row.targetAmount === undefined
    ? row.share.minus(row.weight).abs()
    : row.amount.minus(row.targetAmount).abs();
