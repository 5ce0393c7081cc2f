import { Decimal, ZERO } from '../../model/decimal.ts';
import type { PortfolioTargets } from '../../model/portfolio.ts';
import type { LedgerRow } from './ledger.ts';

const HALF = new Decimal('0.5');

/**
 * What transfers are looked for by. A holding that is brought to the very edge of its band is out
 * of it with the next price, and what it then lacks is too little to be worth a transfer. So one
 * that is out is brought half way into its band, and one that is in gives and takes half of what is
 * left of it.
 */
export const aimsOf = (
  targets: PortfolioTargets,
  before: readonly LedgerRow[],
): PortfolioTargets => ({
  ...targets,
  holdings: targets.holdings.map((holding, index) => {
    const row = before[index];
    const off = row?.isIn ? Decimal.min(holding.band, offOf(row)) : ZERO;
    return { ...holding, band: holding.band.plus(off).times(HALF) };
  }),
});

/** How far a holding is from its target, in the unit of its band. */
const offOf = (row: LedgerRow): Decimal =>
  row.goal === undefined ? row.share.minus(row.weight).abs() : row.amount.minus(row.goal).abs();
