import { ZERO } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName } from '../../model/portfolio.ts';
import type { TransferRoute, NetworkFee } from './transfer-route.ts';
import type { PlannedTransfer, RebalancePlan } from './plan.ts';

/** Throws `request-invalid` for a plan that contradicts itself or the routes. */
export function checkPlan(plan: RebalancePlan, routes: ReadonlyMap<string, TransferRoute>): void {
  const seen = new Map<string, PlannedTransfer>();
  for (const transfer of plan.transfers) {
    const fault = faultOf(transfer, seen, routes, plan);
    if (fault !== undefined) {
      throw new MillraceError(
        'request-invalid',
        `Transfer ${transfer.id} of plan ${plan.id}: ${fault}`,
        {
          field: 'transfers',
        },
      );
    }
    seen.set(transfer.id, transfer);
  }
}

function faultOf(
  { id, offer, after }: PlannedTransfer,
  before: ReadonlyMap<string, PlannedTransfer>,
  routes: ReadonlyMap<string, TransferRoute>,
  { prices }: RebalancePlan,
): string | undefined {
  const { from, to, send, least, expected } = offer;
  if (before.has(id)) return 'there is another one of that id.';
  const amounts = [send, least, expected, ...after.map(({ amount }) => amount)];
  if (!amounts.every((one) => one.isFinite())) return 'one of its amounts is no number.';
  if (!isSoundFee(offer.networkFee)) return 'its fee of the network is no fee.';
  const unknown = after.find(({ transfer }) => !before.has(transfer));
  if (unknown !== undefined)
    return `it waits for ${unknown.transfer}, which does not stand before it.`;
  if (!routes.has(offer.route)) return `there is no route ${offer.route}.`;
  if (!send.greaterThan(0)) return 'it sends nothing.';
  const wrong = sourceFault(offer, after, before);
  if (wrong !== undefined) return wrong;
  if (least.isNegative()) return 'it brings less than nothing.';
  if (holdingName(from) === holdingName(to))
    return `it transfers from ${holdingName(from)} to itself.`;
  const unpriced = [from, to].find(({ asset }) => !prices.has(asset));
  return unpriced === undefined
    ? undefined
    : `the plan does not say what ${unpriced.asset} is worth.`;
}

/** True where no number of a fee is negative and `expected` is no more than `most`. */
export function isSoundFee(fee: NetworkFee | undefined): boolean {
  if (fee === undefined) return true;
  const { expected, most, held = most } = fee;
  const isNumber = [expected, most, held].every((one) => one.isFinite() && !one.isNegative());
  return isNumber && !expected.greaterThan(most);
}

/** What is wrong with the sources of a transfer. */
function sourceFault(
  { from, send }: PlannedTransfer['offer'],
  after: PlannedTransfer['after'],
  before: ReadonlyMap<string, PlannedTransfer>,
): string | undefined {
  const twice = after.find(
    ({ transfer }, index) => after.findIndex((one) => one.transfer === transfer) < index,
  );
  if (twice !== undefined) return `it counts on ${twice.transfer} twice.`;
  const elsewhere = after.find(({ transfer }) => {
    const brings = before.get(transfer)?.offer.to;
    return brings === undefined || holdingName(brings) !== holdingName(from);
  });
  if (elsewhere !== undefined)
    return `${elsewhere.transfer} brings nothing to ${holdingName(from)}.`;
  const isPositive = after.every(({ amount }) => amount.greaterThan(0));
  const total = after.reduce((sum, { amount }) => sum.plus(amount), ZERO);
  return isPositive && !total.greaterThan(send)
    ? undefined
    : 'what it counts on is not part of what it sends.';
}
