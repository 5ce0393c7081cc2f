import { micros } from '../../platform/time.ts';
import type { OrderChange } from '../../rules/order-change.ts';
import type { OrderList } from '../orders/lists.ts';
import type { OrderOpening } from '../orders/orders.ts';
import { sideCode } from '../orders/side.ts';
import { dayEnd } from '../orders/trading-day.ts';
import { flagsOf } from '../positions/flags.ts';
import type { State } from '../state/state.ts';
import type { NewList, Placement } from './guard.ts';
import { releaseFunds } from './reserve.ts';
import { removeFromBooks } from './withdraw.ts';

/** Opens the record of a new order; `suspended` if it waits for its stop price. */
export function openOrder(state: State, placement: Placement): number {
  const { stopTicks } = placement.order;
  return openRecord(state, openingOf(state, placement), stopTicks, stopTicks !== undefined);
}

/** Opens the records of a list's orders; `suspended` also for those that wait for the first. */
export function openList(
  state: State,
  { contingencyType }: NewList,
  placements: readonly Placement[],
): OrderList {
  const triggers = contingencyType.startsWith('oneTrigger');
  const slots = placements.map((placement, index) => {
    const { stopTicks } = placement.order;
    const isSuspended = stopTicks !== undefined || (triggers && index > 0);
    return openRecord(state, openingOf(state, placement), stopTicks, isSuspended);
  });
  const [{ account, order }] = placements;
  return state.lists.open(account, order.clientOrderId, contingencyType, slots);
}

/** Opens the replacement of an active order, with nothing reserved or filled yet. */
export function openSuccessor(state: State, old: number, change: OrderChange): number {
  const { orders } = state;
  const suspended = orders.status(old) === 'suspended';
  removeFromBooks(state, old);
  releaseFunds(state, old);
  state.index.end(old, 'canceled', state.now);
  const opening = successionOf(state, old, change);
  const slot = openRecord(state, opening, change.stopTicks ?? state.stops.ticks(old), suspended);
  state.lists.replace(old, slot);
  return slot;
}

function openRecord(
  state: State,
  terms: OrderOpening,
  stopTicks: number | undefined,
  suspended: boolean,
): number {
  const slot = state.index.open(terms);
  if (stopTicks !== undefined) state.stops.set(slot, stopTicks);
  if (suspended) state.orders.setStatus(slot, 'suspended', terms.at);
  return slot;
}

/** Initial record of a new order. */
function openingOf(state: State, { account, instrument, order }: Placement): OrderOpening {
  const { side, type, timeInForce, postOnly, margin, lots, ticks = 0, clientOrderId } = order;
  const at = micros(state.now);
  return {
    account,
    instrument,
    side: sideCode(side),
    type,
    timeInForce,
    postOnly,
    feeSchedule: state.fees.acquire(account, instrument, order),
    margin: margin === undefined ? 0 : flagsOf(margin),
    lots,
    filled: 0,
    ticks,
    expireAt: order.expireAt ?? (timeInForce === 'Day' ? dayEnd(at) : Number.POSITIVE_INFINITY),
    clientOrderId,
    originalClientOrderId: undefined,
    createdAt: at,
    at,
  };
}

/** Initial record of a replacement. */
function successionOf(
  { orders, fees, now }: State,
  old: number,
  change: OrderChange,
): OrderOpening {
  return {
    account: orders.account(old),
    instrument: orders.instrument(old),
    side: orders.side(old),
    type: orders.type(old),
    timeInForce: orders.timeInForce(old),
    postOnly: orders.postOnly(old),
    feeSchedule: fees.retain(orders.feeSchedule(old)),
    margin: orders.marginFlags(old),
    lots: change.lots ?? orders.lots(old),
    ticks: change.ticks ?? orders.ticks(old),
    expireAt: orders.expireAt(old),
    clientOrderId: change.newClientOrderId,
    originalClientOrderId: change.clientOrderId,
    filled: orders.filled(old),
    createdAt: orders.createdAt(old),
    at: now,
  };
}
