import { activeMarginOrders } from '../clearing/requirement.ts';
import { isLeg, legs, type OrderList } from '../orders/lists.ts';
import { NONE } from '../orders/orders.ts';
import { CLOSE_POSITION, REDUCE_ONLY } from '../positions/flags.ts';
import type { State } from '../state/state.ts';
import { holdFunds, regroupFunds, releaseFunds } from './reserve.ts';

/** Removes an order from the books and ends it; `byUser` if its owner canceled it. */
export function cancelOrder(
  state: State,
  order: number,
  status: 'canceled' | 'expired',
  byUser = false,
): void {
  removeFromBooks(state, order);
  releaseAndEnd(state, order, status, byUser);
}

/** Cancels and reports an order if it is active. */
export function cancelActive(state: State, order: number): void {
  if (state.orders.active(order)) cancelOrder(state, order, 'canceled');
}

/** Removes an order from its book or waiting list; inactive and triggered orders are in none. */
export function removeFromBooks(state: State, order: number): void {
  const { orders } = state;
  if (orders.level(order) === NONE) {
    unpark(state, order);
    return;
  }
  if (orders.suspended(order)) state.stopBook.remove(order);
  else state.books[orders.instrument(order)].sides[orders.side(order)].remove(order);
}

/**
 * Unparks an order and releases its funds; returns since when it was present, undefined if it was
 * not parked.
 */
export function unpark(state: State, order: number): number | undefined {
  if (!state.remainders.has(order)) return undefined;
  releaseFunds(state, order);
  return state.remainders.remove(order);
}

/** Releases an order's funds and ends it. */
export function releaseAndEnd(
  state: State,
  order: number,
  status: 'canceled' | 'expired',
  byUser = false,
): void {
  releaseFunds(state, order);
  endOrder(state, order, status, byUser);
}

export function endOrder(
  state: State,
  order: number,
  status: 'canceled' | 'expired',
  byUser = false,
): void {
  state.index.end(order, status, state.now);
  state.listener.order(status, order);
  const list = state.lists.of(order);
  if (list !== undefined) leaveList(state, order, list, byUser);
}

/** Applies the end of an order to its list. */
function leaveList(state: State, order: number, list: OrderList, byUser: boolean): void {
  const index = list.members.indexOf(order);
  state.lists.leave(order, list);
  if (list.waiting && index === 0) {
    cancelOthers(
      state,
      order,
      list.members.filter((member) => member !== NONE),
    );
  } else if (isLeg(list, index)) {
    if (byUser) cancelOthers(state, order, legs(list));
    else regroupFunds(state, list);
  }
}

export function cancelOthers(state: State, order: number, others: readonly number[]): void {
  for (const other of others) {
    if (other !== order && state.orders.active(other)) cancelOrder(state, other, 'canceled');
  }
}

/** Cancels the legs that exclude an order. */
export function cancelLegs(state: State, order: number): void {
  const list = state.lists.ofLeg(order);
  if (list !== undefined) cancelOthers(state, order, legs(list));
}

/** Moves the reservation of a leg that executes at the market to the other legs. */
export function reassignReserve(state: State, order: number): void {
  const list = state.lists.ofLeg(order);
  if (list !== undefined) regroupFunds(state, list);
}

/**
 * After an execution, cancels the legs that exclude the order and the orders that reduce a closed
 * position.
 */
export function afterFill(state: State, order: number): void {
  excludeOthers(state, order);
  endReducing(state);
}

/** After an execution, cancels the excluded legs and queues the secondaries of a filled primary. */
export function excludeOthers(state: State, order: number): void {
  const list = state.lists.of(order);
  if (list === undefined) return;
  const index = list.members.indexOf(order);
  if (isLeg(list, index)) cancelOthers(state, order, legs(list));
  if (state.orders.remaining(order) > 0) return;
  state.lists.leave(order, list);
  if (list.waiting && index === 0) state.followUps.push(list);
}

/** Cancels the orders that reduce closed positions. */
export function endReducing(state: State): void {
  const { ended } = state.marginAccounts;
  for (let gone = ended.pop(); gone !== undefined; gone = ended.pop()) {
    const { account, instrument } = gone;
    for (const order of activeMarginOrders(state, account)) {
      if (state.orders.instrument(order) === instrument && hasNothingLeft(state, order)) {
        cancelActive(state, order);
      }
    }
  }
}

/** False for inactive orders and untriggered close-position orders, which wait for a position. */
function hasNothingLeft(state: State, order: number): boolean {
  const { orders } = state;
  const flags = orders.marginFlags(order);
  if ((flags & REDUCE_ONLY) === 0 || !orders.active(order) || orders.remaining(order) === 0) {
    return false;
  }
  const waits = (flags & CLOSE_POSITION) !== 0 && orders.status(order) === 'suspended';
  return !waits && !state.lists.isInactive(order);
}

/**
 * Applies self-trade prevention to an incoming and a resting order of one account; false if the
 * incoming one ends.
 */
export function preventSelfTrade(state: State, taker: number, maker: number): boolean {
  const { orders } = state;
  const mode = state.selfMatch.mode(orders.account(taker));
  if (mode === 'expireTaker') return false;
  const [own, resting] = [orders.remaining(taker), orders.remaining(maker)];
  if (mode !== 'decrement' || resting <= own) cancelOrder(state, maker, 'expired');
  else decrease(state, maker, own);
  if (mode === 'expireBoth') return false;
  if (mode === 'expireMaker') return true;
  if (own <= resting) return false;
  decrease(state, taker, resting);
  return true;
}

/** Reduces the quantity of an order that keeps some lots. */
function decrease(state: State, order: number, lots: number): void {
  const { orders } = state;
  releaseFunds(state, order);
  orders.setLots(order, orders.lots(order) - lots);
  holdFunds(state, order);
  if (orders.level(order) !== NONE) {
    state.books[orders.instrument(order)].sides[orders.side(order)].shrink(order, lots);
  }
  state.listener.order('status', order);
}
