import { ZERO, type Decimal } from '../../model/decimal.ts';
import { hasEnded } from '../../model/portfolio.ts';
import type { TransferRecord, Offer } from './transfer-route.ts';
import type { JournaledPlan } from './journal.ts';
import { costOf, feeValue, type PlannedTransfer, type RebalancePlan } from './plan.ts';

/**
 * Why a new offer for a transfer is rejected, as a sentence; `undefined` where it is accepted. The
 * transfer may cost no more than its planned offer with the least that the plan allows, by the
 * prices of the plan, and the plan may not exceed its maximum cost. Where less is sent than planned,
 * the limit is the same, as fixed fees do not shrink with the amount.
 */
export function offerObjection(
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
      record.id === id ? costOf(offer, offer.expected, plan.prices) : expectedCost(record, plan),
    )
    .reduce((sum, one) => sum.plus(one));
  if (!cost.greaterThan(plan.maximumCost)) return undefined;
  return `With a new offer the plan would cost ${cost.toFixed()} and may cost ${plan.maximumCost.toFixed()}.`;
}

/** The cost of a transfer by its outcome where it has ended, else by its offer; exact. */
export function expectedCost(transfer: TransferRecord, { prices }: RebalancePlan): Decimal {
  if (!hasEnded(transfer.state))
    return costOf({ ...transfer, send: sentBy(transfer) }, transfer.expected, prices);
  return realCost(transfer, prices);
}

/** The cost of an ended transfer with network fees; exact. */
export function realCost(transfer: TransferRecord, prices: RebalancePlan['prices']): Decimal {
  const { from, to, state, arrived, refunded } = transfer;
  const left = sentBy(transfer);
  const fee = paidValue(transfer, prices);
  if (state === 'fulfilled' && arrived !== undefined) {
    return costOf({ from, to, send: left }, arrived, prices).plus(fee);
  }
  return costOf({ from, to, send: left.minus(refunded ?? left) }, ZERO, prices).plus(fee);
}

/** Value of the paid network fee, or of the expected one where the paid one is unknown. */
function paidValue(
  { paying, paidFee, networkFee }: TransferRecord,
  prices: RebalancePlan['prices'],
): Decimal {
  const priceOf = (asset: string): Decimal | undefined => prices.get(asset);
  if (paidFee !== undefined) return feeValue(paidFee, paidFee.amount, priceOf);
  if (!paying || networkFee === undefined) return ZERO;
  return feeValue(networkFee, networkFee.expected, priceOf);
}

/** What left by a transfer, which can be more or less than it was to send. */
export const sentBy = ({ send, sent = send }: TransferRecord): Decimal => sent;
