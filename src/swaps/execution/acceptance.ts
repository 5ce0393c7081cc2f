import { ZERO, type Decimal } from '../../model/decimal.ts';
import { hasEnded } from '../../model/portfolio.ts';
import type { MoveRecord, Offer } from './carrier.ts';
import type { JournaledPlan } from './journal.ts';
import { costOf, feeValue, type PlannedMove, type RebalancePlan } from './plan.ts';

/**
 * Why a new offer for a move is not taken, as a sentence; nothing where it is. The move must cost no
 * more than where the planned offer brings the least that the plan allows, by the worth of then, and
 * the plan must stay within its maximum cost. The cost is not taken in proportion where less is sent
 * than planned, as fees do not shrink with what they are paid for.
 */
export function objection(
  { plan, moves }: JournaledPlan,
  planned: PlannedMove,
  offer: Offer,
  send: Decimal,
): string | undefined {
  if (offer.send.greaterThan(send) || !offer.send.greaterThan(0)) {
    return `A new offer sends ${offer.send.toFixed()} and not ${send.toFixed()}.`;
  }
  const [costs, may] = [
    costOf(offer, offer.least, plan.prices, 'most'),
    costOf(planned.offer, planned.least, plan.prices, 'most'),
  ];
  if (!offer.least.greaterThan(0) || costs.greaterThan(may)) {
    return `A new offer brings ${offer.least.toFixed()} at the least for ${offer.send.toFixed()}, which costs ${costs.toFixed()}; the plan allows ${may.toFixed()}.`;
  }
  const id = `${plan.id}/${planned.id}`;
  const cost = moves
    .map(({ record }) =>
      record.id === id ? costOf(offer, offer.expected, plan.prices) : foreseenCost(record, plan),
    )
    .reduce((sum, one) => sum.plus(one));
  if (!cost.greaterThan(plan.maximumCost)) return undefined;
  return `With a new offer the plan would cost ${cost.toFixed()} and may cost ${plan.maximumCost.toFixed()}.`;
}

/** What a move costs, by what it did where it has ended, and by its offer where it has not; exact. */
export function foreseenCost(move: MoveRecord, { prices }: RebalancePlan): Decimal {
  if (!hasEnded(move.state)) return costOf({ ...move, send: leftOf(move) }, move.expected, prices);
  return realCost(move, prices);
}

/** What a move that has ended has cost, fees of the network counted in; exact. */
export function realCost(move: MoveRecord, prices: RebalancePlan['prices']): Decimal {
  const { from, to, state, arrived, refunded } = move;
  const left = leftOf(move);
  const fee = paidValue(move, prices);
  if (state === 'fulfilled' && arrived !== undefined) {
    return costOf({ from, to, send: left }, arrived, prices).plus(fee);
  }
  return costOf({ from, to, send: left.minus(refunded ?? left) }, ZERO, prices).plus(fee);
}

/** What a move has paid to the network, or is likely to have where its chain did not tell. */
function paidValue(
  { paying, paidFee, networkFee }: MoveRecord,
  prices: RebalancePlan['prices'],
): Decimal {
  const priceOf = (asset: string): Decimal | undefined => prices.get(asset);
  if (paidFee !== undefined) return feeValue(paidFee, paidFee.amount, priceOf);
  if (!paying || networkFee === undefined) return ZERO;
  return feeValue(networkFee, networkFee.expected, priceOf);
}

/** What left by a move, with what was taken on top of what it sends. */
export const leftOf = ({ send, sent = send }: MoveRecord): Decimal => sent;
