import { activeMarginOrders } from '../clearing/requirement.ts';
import { isLeg, legs, type OrderList } from '../orders/lists.ts';
import { NONE } from '../orders/orders.ts';
import { CLOSE_POSITION, REDUCE_ONLY } from '../positions/flags.ts';
import type { State } from '../state/state.ts';
import { holdFunds, regroupFunds, releaseFunds } from './reserve.ts';

/** Takes an order from where it stands and ends it; `byUser` where its owner asked for that. */
export function withdraw(
  state: State,
  order: number,
  status: 'canceled' | 'expired',
  byUser = false,
): void {
  takeOut(state, order);
  giveUp(state, order, status, byUser);
}

/** Cancels an order that is still active, and reports it to its owner. */
export function withdrawActive(state: State, order: number): void {
  if (state.orders.active(order)) withdraw(state, order, 'canceled');
}

/** Takes an order from where it stands; inactive and triggered orders stand nowhere. */
export function takeOut(state: State, order: number): void {
  const { orders } = state;
  if (orders.level(order) === NONE) {
    callBack(state, order);
    return;
  }
  if (orders.suspended(order)) state.stopBook.remove(order);
  else state.books[orders.instrument(order)].sides[orders.side(order)].remove(order);
}

/** Takes an order that was to go on at the next print back; gives since when it was there, undefined for another. */
export function callBack(state: State, order: number): number | undefined {
  if (!state.remainders.has(order)) return undefined;
  releaseFunds(state, order);
  return state.remainders.remove(order);
}

/** Gives back what an order holds and ends it. */
export function giveUp(
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

/** What the end of an order means for its list. */
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
    if (other !== order && state.orders.active(other)) withdraw(state, other, 'canceled');
  }
}

/** Ends the legs that exclude an order. */
export function cancelLegs(state: State, order: number): void {
  const list = state.lists.ofLeg(order);
  if (list !== undefined) cancelOthers(state, order, legs(list));
}

/** What a leg held that executes at the market is held by the others. */
export function shareOut(state: State, order: number): void {
  const list = state.lists.ofLeg(order);
  if (list !== undefined) regroupFunds(state, list);
}

/** An order has executed: what excludes it ends, and what would reduce a position that it ended. */
export function afterFill(state: State, order: number): void {
  excludeOthers(state, order);
  endReducing(state);
}

/** An order of a list has executed: the legs that it excludes end, the secondaries of a primary become active. */
export function excludeOthers(state: State, order: number): void {
  const list = state.lists.of(order);
  if (list === undefined) return;
  const index = list.members.indexOf(order);
  if (isLeg(list, index)) cancelOthers(state, order, legs(list));
  if (state.orders.remaining(order) > 0) return;
  state.lists.leave(order, list);
  if (list.waiting && index === 0) state.followUps.push(list);
}

/** Ends the orders that would reduce positions that are gone. */
export function endReducing(state: State): void {
  const { ended } = state.marginAccounts;
  for (let gone = ended.pop(); gone !== undefined; gone = ended.pop()) {
    const { account, instrument } = gone;
    for (const order of activeMarginOrders(state, account)) {
      if (state.orders.instrument(order) === instrument && hasNothingLeft(state, order)) {
        withdrawActive(state, order);
      }
    }
  }
}

/** Inactive orders and those that close what there is when they are triggered wait for a position. */
function hasNothingLeft(state: State, order: number): boolean {
  const { orders } = state;
  const flags = orders.margin(order);
  if ((flags & REDUCE_ONLY) === 0 || !orders.active(order) || orders.remaining(order) === 0) {
    return false;
  }
  const waits = (flags & CLOSE_POSITION) !== 0 && orders.status(order) === 'suspended';
  return !waits && !state.lists.isInactive(order);
}

/** An incoming order comes to a resting one of its account; false when that is its end. */
export function preventSelfTrade(state: State, taker: number, maker: number): boolean {
  const { orders } = state;
  const mode = state.selfMatch.mode(orders.account(taker));
  if (mode === 'expireTaker') return false;
  const [own, resting] = [orders.remaining(taker), orders.remaining(maker)];
  if (mode !== 'decrement' || resting <= own) withdraw(state, maker, 'expired');
  else decrease(state, maker, own);
  if (mode === 'expireBoth') return false;
  if (mode === 'expireMaker') return true;
  if (own <= resting) return false;
  decrease(state, taker, resting);
  return true;
}

/** Takes lots off an order that keeps some. */
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
