import { hasEnded, TRANSFER_STATES, type TransferState } from '../../model/portfolio.ts';
import { sanitize } from '../../model/plain-words.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { TransferChange, TransferRecord, Offer } from './transfer-route.ts';
import { checkedData } from './transfer-data.ts';
import type { PlannedTransfer, RebalancePlan } from './plan.ts';

/**
 * The record of a planned transfer before anything was done; quoted where its offer still stands.
 */
export function openTransfer(
  plan: Pick<RebalancePlan, 'id'>,
  { id, offer, after }: PlannedTransfer,
  now: Micros,
  unpaidUs: number,
): TransferRecord {
  const isReady = after.length === 0;
  const { route, from, to, send, least, expected, expiresAt, durationUs, networkFee, terms } = offer; // prettier-ignore
  return {
    id: `${plan.id}/${id}`,
    plan: plan.id,
    route,
    from,
    to,
    send,
    least,
    expected,
    expiresAt,
    durationUs,
    ...(networkFee !== undefined && { networkFee }),
    state: isReady && now < expiresAt ? 'quoted' : 'planned',
    ...(isReady && { payBy: micros(now + unpaidUs) }),
    paying: false,
    data: terms,
    createdAt: now,
    changedAt: now,
  };
}

/** A transfer that goes by another offer from now on; what was learned by the old one is let go. */
export function requoted(transfer: TransferRecord, offer: Offer, now: Micros): TransferRecord {
  const { send, least, expected, expiresAt, durationUs, networkFee, terms } = offer;
  const { reason: _, networkFee: __, ...rest } = transfer;
  return {
    ...rest,
    send,
    least,
    expected,
    expiresAt,
    durationUs,
    ...(networkFee !== undefined && { networkFee }),
    state: 'quoted',
    data: checkedData(terms),
    changedAt: now,
  };
}

/**
 * A transfer after a change. It never goes back: a state that it has passed leaves it where it is,
 * and one that has ended does not change. An offer that falls once the transfer is paying ends it.
 */
export function changed(
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

/** A transfer that is given up before anything was paid. */
export const givenUp = (transfer: TransferRecord, reason: string, now: Micros): TransferRecord =>
  changed(transfer, { state: 'expired', reason }, now);

function stateAfter({ state, paying }: TransferRecord, next: TransferState): TransferState {
  if (next === 'planned') return paying ? 'expired' : 'planned';
  return TRANSFER_STATES.indexOf(next) < TRANSFER_STATES.indexOf(state) ? state : next;
}
