import { Decimal, ZERO } from '../../model/decimal.ts';
import {
  hasEnded,
  slotName,
  type Holding,
  type PortfolioTargets,
  type Slot,
  type SlotTarget,
  type PriceOf,
} from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { leftOf } from './acceptance.ts';
import type { MoveRecord } from './carrier.ts';
import type { RebalanceReport } from './report.ts';

/** What a plan is made from. */
export interface Outlook {
  readonly targets: PortfolioTargets;
  readonly holdings: readonly Holding[];
}

/** Of what is stranded so much may stay, as moves round off what they send. */
const MAY_STAY = new Decimal('0.1');

/**
 * Plans anew after moves that did not succeed. What they left on its way, at slots that are no
 * targets, is to move on: such a slot becomes a target of nothing, which holds what came there by
 * the moves and nothing else. Where that cannot be planned, it stays there, and the targets alone
 * are planned.
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
  const names = new Set(targets.slots.map(slotName));
  const valueOf = ({ asset, amount }: Holding): Decimal => amount.times(priceOf(asset) ?? ZERO);
  const stranded = strandedBy(report, holdings).filter(
    (one) => !names.has(slotName(one)) && valueOf(one).greaterThan(targets.minimumValue),
  );
  if (stranded.length === 0) return undefined;
  const own = holdings.filter((one) => names.has(slotName(one)));
  const slots = stranded.map(({ asset, place, amount }): SlotTarget => {
    return { asset, place, amount: ZERO, band: amount.times(MAY_STAY), reserve: ZERO };
  });
  return {
    targets: { ...targets, slots: [...targets.slots, ...slots] },
    holdings: [...own, ...stranded],
  };
}

/** What came to slots by ended moves and did not leave them by others, as far as it is there. */
function strandedBy({ plans }: RebalanceReport, holdings: readonly Holding[]): readonly Holding[] {
  const came = new Map<string, Decimal>();
  const add = (slot: Slot, amount: Decimal): void =>
    void came.set(slotName(slot), (came.get(slotName(slot)) ?? ZERO).plus(amount));
  for (const { record } of plans.flatMap(({ moves }) => moves)) {
    if (!hasEnded(record.state)) continue;
    add(record.from, keptBack(record).minus(leftOf(record)));
    add(record.to, record.arrived ?? ZERO);
  }
  return holdings.map((one) => ({
    ...one,
    amount: Decimal.max(ZERO, Decimal.min(one.amount, came.get(slotName(one)) ?? ZERO)),
  }));
}

/** What of a move that has ended is back where it left, or never left. */
const keptBack = (record: MoveRecord): Decimal =>
  record.state === 'fulfilled' ? ZERO : (record.refunded ?? leftOf(record));
