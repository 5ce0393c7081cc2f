import { hasEnded, TRANSFER_STATES, type TransferState } from '../../model/portfolio.ts';
import { sanitize } from '../../model/plain-words.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { TransferChange, TransferRecord, Offer } from './transfer-route.ts';
import { checkedData } from './transfer-data.ts';
import type { PlannedTransfer, RebalancePlan } from './plan.ts';

/** The first record of a planned transfer; `quoted` where its offer is still valid. */
export function openTransfer(
  plan: Pick<RebalancePlan, 'id'>,
  { id, offer, after }: PlannedTransfer,
  now: Micros,
  unpaidUs: number,
): TransferRecord {
  const isReady = after.length === 0;
  const { route, from, to, terms } = offer;
  return {
    id: `${plan.id}/${id}`,
    plan: plan.id,
    route,
    from,
    to,
    ...termsOf(offer),
    state: isReady && now < offer.expiresAt ? 'quoted' : 'planned',
    ...(isReady && { payBy: micros(now + unpaidUs) }),
    paying: false,
    data: terms,
    createdAt: now,
    changedAt: now,
  };
}

/** What a transfer and its offer have in common. */
const termsOf = ({ send, least, expected, expiresAt, durationUs, networkFee }: Offer) => ({
  send,
  least,
  expected,
  expiresAt,
  durationUs,
  ...(networkFee !== undefined && { networkFee }),
});

/** A transfer with another offer; the data and reason of the one before are dropped. */
export function requote(transfer: TransferRecord, offer: Offer, now: Micros): TransferRecord {
  const { reason: _, networkFee: __, ...rest } = transfer;
  const data = checkedData(offer.terms);
  return { ...rest, ...termsOf(offer), state: 'quoted', data, changedAt: now };
}

/**
 * A transfer after a change. Its state never goes back, and does not change once it has ended. A
 * change to `planned` of a transfer that is paying ends it.
 */
export function applyChange(
  transfer: TransferRecord,
  change: TransferChange,
  now: Micros,
): TransferRecord {
  if (hasEnded(transfer.state)) return transfer;
  const state = stateAfter(transfer, change.state);
  const { reason: _, ...rest } = transfer;
  const { expiresAt = transfer.expiresAt, sent, arrived, refunded, paidFee, reason } = change;
  if (state === 'fulfilled' && arrived === undefined) throw new RangeError(`${transfer.id} is fulfilled and nothing is said of what arrived`); // prettier-ignore
  if (state === 'refunded' && refunded === undefined) throw new RangeError(`${transfer.id} is refunded and nothing is said of what came back`); // prettier-ignore
  return {
    ...rest,
    state,
    expiresAt,
    data: { ...transfer.data, ...checkedData(change.data ?? {}) },
    ...(sent !== undefined && { sent }),
    ...(hasEnded(state) && arrived !== undefined && { arrived }),
    ...(hasEnded(state) && refunded !== undefined && { refunded }),
    ...(paidFee !== undefined && { paidFee }),
    ...(reason !== undefined && { reason: sanitize(reason) }),
    changedAt: state === transfer.state ? transfer.changedAt : now,
  };
}

/** Ends a transfer that is not paid. */
export const giveUp = (transfer: TransferRecord, reason: string, now: Micros): TransferRecord =>
  applyChange(transfer, { state: 'expired', reason }, now);

function stateAfter({ state, paying }: TransferRecord, next: TransferState): TransferState {
  if (next === 'planned') return paying ? 'expired' : 'planned';
  return TRANSFER_STATES.indexOf(next) < TRANSFER_STATES.indexOf(state) ? state : next;
}
