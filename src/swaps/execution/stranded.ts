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
import { leftOf } from './acceptance.ts';
import type { TransferRecord } from './transfer-route.ts';
import type { RebalanceReport } from './report.ts';

/** What a plan is made from. */
export interface Outlook {
  readonly targets: PortfolioTargets;
  readonly holdings: readonly Holding[];
}

/** Of what is stranded so much may stay, as transfers round off what they send. */
const MAY_STAY = new Decimal('0.1');

/**
 * Plans anew after transfers that did not succeed. What they left on its way, at holdings that are
 * no targets, is to move on: such a holding becomes a target of nothing, which holds what came
 * there by the transfers and nothing else. Where that cannot be planned, it stays there, and the
 * targets alone are planned.
 */
export async function planAnew<P>(
  report: RebalanceReport,
  outlook: Outlook,
  priceOf: PriceOf,
  plan: (outlook: Outlook) => Promise<P | Rejection>,
): Promise<P | Rejection> {
  const wider = withStranded(report, outlook, priceOf);
  const planned = wider === undefined ? undefined : await plan(wider);
  return planned === undefined || isRejection(planned) ? plan(outlook) : planned;
}

function withStranded(
  report: RebalanceReport,
  { targets, holdings }: Outlook,
  priceOf: PriceOf,
): Outlook | undefined {
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

/**
 * What came to holdings by ended transfers and did not leave them by others, as far as it is there.
 */
function strandedBy({ plans }: RebalanceReport, holdings: readonly Holding[]): readonly Holding[] {
  const came = new Map<string, Decimal>();
  const add = (holding: HoldingKey, amount: Decimal): void =>
    void came.set(holdingName(holding), (came.get(holdingName(holding)) ?? ZERO).plus(amount));
  for (const { record } of plans.flatMap(({ transfers }) => transfers)) {
    if (!hasEnded(record.state)) continue;
    add(record.from, keptBack(record).minus(leftOf(record)));
    add(record.to, record.arrived ?? ZERO);
  }
  return holdings.map((one) => ({
    ...one,
    amount: Decimal.max(ZERO, Decimal.min(one.amount, came.get(holdingName(one)) ?? ZERO)),
  }));
}

/** What of a transfer that has ended is back where it left, or never left. */
const keptBack = (record: TransferRecord): Decimal =>
  record.state === 'fulfilled' ? ZERO : (record.refunded ?? leftOf(record));
