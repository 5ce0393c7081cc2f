import { ZERO, type Decimal } from '../../model/decimal.ts';
import { hasEnded } from '../../model/portfolio.ts';
import type { TransferRecord, Offer } from './transfer-route.ts';
import type { JournaledPlan } from './journal.ts';
import { costOf, feeValue, type PlannedTransfer, type RebalancePlan } from './plan.ts';

/**
 * Why a new offer for a transfer is not taken, as a sentence; nothing where it is. The transfer
 * must cost no more than where the planned offer brings the least that the plan allows, by the
 * worth of then, and the plan must stay within its maximum cost. The cost is not taken in
 * proportion where less is sent than planned, as fees do not shrink with what they are paid for.
 */
export function objection(
  { plan, transfers }: JournaledPlan,
  planned: PlannedTransfer,
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
  const cost = transfers
    .map(({ record }) =>
      record.id === id ? costOf(offer, offer.expected, plan.prices) : foreseenCost(record, plan),
    )
    .reduce((sum, one) => sum.plus(one));
  if (!cost.greaterThan(plan.maximumCost)) return undefined;
  return `With a new offer the plan would cost ${cost.toFixed()} and may cost ${plan.maximumCost.toFixed()}.`;
}

/**
 * What a transfer costs, by what it did where it has ended, and by its offer where it has not;
 * exact.
 */
export function foreseenCost(transfer: TransferRecord, { prices }: RebalancePlan): Decimal {
  if (!hasEnded(transfer.state))
    return costOf({ ...transfer, send: leftOf(transfer) }, transfer.expected, prices);
  return realCost(transfer, prices);
}

/** What a transfer that has ended has cost, fees of the network counted in; exact. */
export function realCost(transfer: TransferRecord, prices: RebalancePlan['prices']): Decimal {
  const { from, to, state, arrived, refunded } = transfer;
  const left = leftOf(transfer);
  const fee = paidValue(transfer, prices);
  if (state === 'fulfilled' && arrived !== undefined) {
    return costOf({ from, to, send: left }, arrived, prices).plus(fee);
  }
  return costOf({ from, to, send: left.minus(refunded ?? left) }, ZERO, prices).plus(fee);
}

/** What a transfer has paid to the network, or is likely to have where its chain did not tell. */
function paidValue(
  { paying, paidFee, networkFee }: TransferRecord,
  prices: RebalancePlan['prices'],
): Decimal {
  const priceOf = (asset: string): Decimal | undefined => prices.get(asset);
  if (paidFee !== undefined) return feeValue(paidFee, paidFee.amount, priceOf);
  if (!paying || networkFee === undefined) return ZERO;
  return feeValue(networkFee, networkFee.expected, priceOf);
}

/** What left by a transfer, with what was taken on top of what it sends. */
export const leftOf = ({ send, sent = send }: TransferRecord): Decimal => sent;
