import { ZERO } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { slotName } from '../../model/portfolio.ts';
import type { Carrier, NetworkFee } from './carrier.ts';
import type { PlannedMove, RebalancePlan } from './plan.ts';

/** Throws `request-invalid` for a plan that cannot be carried out as it is written. */
export function checkPlan(plan: RebalancePlan, carriers: ReadonlyMap<string, Carrier>): void {
  const seen = new Map<string, PlannedMove>();
  for (const move of plan.moves) {
    const fault = faultOf(move, seen, carriers, plan);
    if (fault !== undefined) {
      throw new MillraceError('request-invalid', `Move ${move.id} of plan ${plan.id}: ${fault}`, {
        field: 'moves',
      });
    }
    seen.set(move.id, move);
  }
}

function faultOf(
  { id, offer, after }: PlannedMove,
  before: ReadonlyMap<string, PlannedMove>,
  carriers: ReadonlyMap<string, Carrier>,
  { prices }: RebalancePlan,
): string | undefined {
  const { from, to, send, least, expected } = offer;
  if (before.has(id)) return 'there is another one of that id.';
  const amounts = [send, least, expected, ...after.map(({ amount }) => amount)];
  if (!amounts.every((one) => one.isFinite())) return 'one of its amounts is no number.';
  if (!isSoundFee(offer.networkFee)) return 'its fee of the network is no fee.';
  const unknown = after.find(({ move }) => !before.has(move));
  if (unknown !== undefined) return `it waits for ${unknown.move}, which does not stand before it.`;
  if (!carriers.has(offer.carrier)) return `there is no carrier ${offer.carrier}.`;
  if (!send.greaterThan(0)) return 'it sends nothing.';
  const wrong = wrongSource(offer, after, before);
  if (wrong !== undefined) return wrong;
  if (least.isNegative()) return 'it brings less than nothing.';
  if (slotName(from) === slotName(to)) return `it moves from ${slotName(from)} to itself.`;
  const unpriced = [from, to].find(({ asset }) => !prices.has(asset));
  return unpriced === undefined
    ? undefined
    : `the plan does not say what ${unpriced.asset} is worth.`;
}

/** A fee is no negative number, and no more than it is at the most. */
export function isSoundFee(fee: NetworkFee | undefined): boolean {
  if (fee === undefined) return true;
  const { expected, most, held = most } = fee;
  const isNumber = [expected, most, held].every((one) => one.isFinite() && !one.isNegative());
  return isNumber && !expected.greaterThan(most);
}

/** What is wrong with what a move counts on. */
function wrongSource(
  { from, send }: PlannedMove['offer'],
  after: PlannedMove['after'],
  before: ReadonlyMap<string, PlannedMove>,
): string | undefined {
  const twice = after.find(
    ({ move }, index) => after.findIndex((one) => one.move === move) < index,
  );
  if (twice !== undefined) return `it counts on ${twice.move} twice.`;
  const elsewhere = after.find(({ move }) => {
    const brings = before.get(move)?.offer.to;
    return brings === undefined || slotName(brings) !== slotName(from);
  });
  if (elsewhere !== undefined) return `${elsewhere.move} brings nothing to ${slotName(from)}.`;
  const isPositive = after.every(({ amount }) => amount.greaterThan(0));
  const total = after.reduce((sum, { amount }) => sum.plus(amount), ZERO);
  return isPositive && !total.greaterThan(send)
    ? undefined
    : 'what it counts on is not part of what it sends.';
}
