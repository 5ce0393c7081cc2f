import { Decimal, ZERO } from '../../model/decimal.ts';
import {
  hasEnded,
  holdingName,
  type Holding,
  type PortfolioTargets,
  type HoldingKey,
  type HoldingTarget,
  type PriceOf,
} from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { sentBy } from './acceptance.ts';
import type { RebalanceReport } from './report.ts';

/** Targets and holdings that a plan is made from. */
export interface PlanInput {
  readonly targets: PortfolioTargets;
  readonly holdings: readonly Holding[];
}

/** Share of a stranded amount that may stay, as transfers round off what they send. */
const MAY_STAY = new Decimal('0.1');

/**
 * Makes another plan after transfers that did not succeed. What they left at holdings without a
 * target has to move on: such a holding gets a target amount of 0, and counts with what arrived by
 * the transfers alone. Where no such plan exists, it stays there and the targets alone are planned.
 */
export async function replan<P>(
  report: RebalanceReport,
  outlook: PlanInput,
  priceOf: PriceOf,
  plan: (outlook: PlanInput) => Promise<P | Rejection>,
): Promise<P | Rejection> {
  const wider = withStranded(report, outlook, priceOf);
  const planned = wider === undefined ? undefined : await plan(wider);
  return planned === undefined || isRejection(planned) ? plan(outlook) : planned;
}

function withStranded(
  report: RebalanceReport,
  { targets, holdings }: PlanInput,
  priceOf: PriceOf,
): PlanInput | undefined {
  const names = new Set(targets.holdings.map(holdingName));
  const valueOf = ({ asset, amount }: Holding): Decimal => amount.times(priceOf(asset) ?? ZERO);
  const stranded = strandedBy(report, holdings).filter(
    (one) => !names.has(holdingName(one)) && valueOf(one).greaterThan(targets.minimumValue),
  );
  if (stranded.length === 0) return undefined;
  const own = holdings.filter((one) => names.has(holdingName(one)));
  const additions = stranded.map(({ asset, location, amount }): HoldingTarget => {
    return { asset, location, amount: ZERO, band: amount.times(MAY_STAY), reserve: ZERO };
  });
  return {
    targets: { ...targets, holdings: [...targets.holdings, ...additions] },
    holdings: [...own, ...stranded],
  };
}

/** What ended transfers brought to holdings and others did not take, as far as it is still there. */
function strandedBy({ plans }: RebalanceReport, holdings: readonly Holding[]): readonly Holding[] {
  const came = new Map<string, Decimal>();
  const add = (holding: HoldingKey, amount: Decimal): void =>
    void came.set(holdingName(holding), (came.get(holdingName(holding)) ?? ZERO).plus(amount));
  for (const { record } of plans.flatMap(({ transfers }) => transfers)) {
    if (!hasEnded(record.state)) continue;
    const sent = sentBy(record);
    const back = record.state === 'fulfilled' ? ZERO : (record.refunded ?? sent);
    add(record.from, back.minus(sent));
    add(record.to, record.arrived ?? ZERO);
  }
  return holdings.map((one) => ({
    ...one,
    amount: Decimal.max(ZERO, Decimal.min(one.amount, came.get(holdingName(one)) ?? ZERO)),
  }));
}
