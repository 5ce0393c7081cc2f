import { hasEnded, MOVE_STATES, type MoveState } from '../../model/portfolio.ts';
import { plainWords } from '../../model/plain-words.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { MoveChange, MoveRecord, Offer } from './carrier.ts';
import { checkedData } from './carrier-data.ts';
import type { PlannedMove, RebalancePlan } from './plan.ts';

/** The record of a planned move before anything was done; quoted where its offer still stands. */
export function openMove(
  plan: Pick<RebalancePlan, 'id'>,
  { id, offer, after }: PlannedMove,
  now: Micros,
  unpaidUs: number,
): MoveRecord {
  const isReady = after.length === 0;
  const { carrier, from, to, send, least, expected, expiresAt, durationUs, networkFee, terms } = offer; // prettier-ignore
  return {
    id: `${plan.id}/${id}`,
    plan: plan.id,
    carrier,
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

/** A move that goes by another offer from now on; what was learned by the old one is let go. */
export function requoted(move: MoveRecord, offer: Offer, now: Micros): MoveRecord {
  const { send, least, expected, expiresAt, durationUs, networkFee, terms } = offer;
  const { reason: _, networkFee: __, ...rest } = move;
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
 * A move after a change. It never goes back: a state that it has passed leaves it where it is, and
 * one that has ended does not change. An offer that falls once the move is paying ends it.
 */
export function changed(move: MoveRecord, change: MoveChange, now: Micros): MoveRecord {
  if (hasEnded(move.state)) return move;
  const state = stateAfter(move, change.state);
  const { reason: _, ...rest } = move;
  const { expiresAt = move.expiresAt, sent, arrived, refunded, paidFee, reason } = change;
  if (state === 'fulfilled' && arrived === undefined) throw new RangeError(`${move.id} is fulfilled and nothing is said of what arrived`); // prettier-ignore
  if (state === 'refunded' && refunded === undefined) throw new RangeError(`${move.id} is refunded and nothing is said of what came back`); // prettier-ignore
  return {
    ...rest,
    state,
    expiresAt,
    data: { ...move.data, ...checkedData(change.data ?? {}) },
    ...(sent !== undefined && { sent }),
    ...(hasEnded(state) && arrived !== undefined && { arrived }),
    ...(hasEnded(state) && refunded !== undefined && { refunded }),
    ...(paidFee !== undefined && { paidFee }),
    ...(reason !== undefined && { reason: plainWords(reason) }),
    changedAt: state === move.state ? move.changedAt : now,
  };
}

/** A move that is given up before anything was paid. */
export const givenUp = (move: MoveRecord, reason: string, now: Micros): MoveRecord =>
  changed(move, { state: 'expired', reason }, now);

function stateAfter({ state, paying }: MoveRecord, next: MoveState): MoveState {
  if (next === 'planned') return paying ? 'expired' : 'planned';
  return MOVE_STATES.indexOf(next) < MOVE_STATES.indexOf(state) ? state : next;
}
