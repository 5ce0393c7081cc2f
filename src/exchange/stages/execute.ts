import { hasStopPrice } from '../../model/order.ts';
import type { BookSide } from '../book/book.ts';
import { legs, type OrderList } from '../orders/lists.ts';
import { NONE } from '../orders/orders.ts';
import { BUY } from '../orders/side.ts';
import { CLOSE_POSITION } from '../positions/flags.ts';
import type { RecordedSide } from '../recorded/recorded-side.ts';
import type { State } from '../state/state.ts';
import { estimateFill, estimateNext, wouldTake } from './fill-estimate.ts';
import { match } from './match.ts';
import { holdFunds, isCovered, releaseFunds } from './reserve.ts';
import { canAccept } from './validate.ts';
import {
  unpark,
  cancelLegs,
  cancelOthers,
  endOrder,
  releaseAndEnd,
  reassignReserve,
} from './withdraw.ts';

/** Starts an accepted order: it waits for its stop price, expires on acceptance, or executes. */
export function beginOrder(state: State, order: number): void {
  if (state.orders.suspended(order)) {
    holdFunds(state, order);
    state.listener.order('suspended', order);
    state.stopBook.wait(order, state.presentSince);
  } else if (failsOnAcceptance(state, order)) endOrder(state, order, 'expired');
  else {
    holdFunds(state, order);
    state.listener.order('new', order);
    execute(state, order);
  }
}

/**
 * Starts an accepted list: reports all orders before any executes. A restored list has its margin
 * already.
 */
export function beginList(state: State, list: OrderList, isRestored = false): void {
  const { orders } = state;
  const members = [...list.members];
  if (list.contingencyType === 'allOrNone' && anyFails(state, members)) {
    for (const order of members) endOrder(state, order, 'expired');
    return;
  }
  for (const order of members) holdFunds(state, order);
  for (const order of members) {
    const isSuspended = orders.suspended(order);
    state.listener.order(isSuspended ? 'suspended' : 'new', order);
    if (isSuspended && !state.lists.isInactive(order))
      state.stopBook.wait(order, state.presentSince);
  }
  acceptAll(state, members, isRestored);
}

/** Starts the replacement of an order; it waits if the other waited. */
export function beginSuccessor(state: State, order: number): void {
  holdFunds(state, order);
  state.listener.order('replaced', order);
  if (state.orders.status(order) !== 'suspended') acceptOrder(state, order);
  else if (!state.lists.isInactive(order)) state.stopBook.wait(order, state.presentSince);
}

/** True if one of several orders could not fill whole, each after those before it. */
function anyFails(state: State, members: readonly number[]): boolean {
  const { orders } = state;
  return members.some((order, index) => {
    const where = [orders.account(order), orders.instrument(order)] as const;
    const terms = [...where, orders.side(order), orders.ticks(order)] as const;
    const left = orders.remaining(order);
    if (index === 0) estimateFill(state, ...terms, left);
    else estimateNext(state, ...terms, left);
    return state.estimate.lots < left;
  });
}

/** Accepts the orders of a list that are reported as new and not canceled since. */
function acceptAll(state: State, members: readonly number[], isRestored = false): void {
  const { orders } = state;
  for (const order of members) {
    if (order === NONE || !orders.active(order) || orders.status(order) !== 'new') continue;
    if (orders.level(order) === NONE)
      acceptOrder(state, order, isRestored && orders.marginFlags(order) !== 0);
  }
}

/** Executes a reported order, unless it fails on acceptance. */
function acceptOrder(state: State, order: number, isFunded = false): void {
  const failure =
    isFunded && !failsOnAcceptance(state, order) ? undefined : acceptanceFailure(state, order);
  if (failure === undefined) execute(state, order);
  else releaseAndEnd(state, order, failure);
}

/** How an order ends that cannot be accepted; undefined if it can. */
function acceptanceFailure(state: State, order: number): 'canceled' | 'expired' | undefined {
  if (!canAccept(state, order)) return 'canceled';
  if (!failsOnAcceptance(state, order)) return undefined;
  return (state.orders.marginFlags(order) & CLOSE_POSITION) === 0 ? 'expired' : 'canceled';
}

/** True for a post-only order that would take and a FOK order that cannot fill. */
function failsOnAcceptance(state: State, order: number): boolean {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const side = orders.side(order);
  const ticks = orders.ticks(order);
  if (orders.postOnly(order)) return wouldTake(state, instrument, side, ticks);
  if (orders.timeInForce(order) !== 'FOK') return false;
  const isSpot = orders.marginFlags(order) === 0;
  const left = isSpot ? orders.remaining(order) : state.marginAccounts.executableLots(order);
  const account = orders.account(order);
  estimateFill(state, account, instrument, side, ticks, left, state.lists.ofLeg(order));
  return state.estimate.lots < left;
}

/**
 * Matches an accepted order. The rest goes to the book, waits for the next print (present since
 * `since`), or expires.
 */
export function execute(state: State, order: number, since: number = state.presentSince): void {
  const { orders } = state;
  if (state.lists.size > 0) cancelCrossingLegs(state, order);
  const isAlive = match(state, order);
  if (isAlive && orders.active(order) && orders.isLasting(order)) restInBook(state, order);
  else if (isAlive && canPark(state, order)) park(state, order, since);
  else finishOrder(state, order);
}

/** Ends an order that does not rest, unless it was canceled with the position that it reduced. */
function finishOrder(state: State, order: number): void {
  const { orders } = state;
  if (orders.remaining(order) === 0) state.index.end(order, 'filled', state.now);
  else if (orders.active(order)) releaseAndEnd(state, order, 'expired');
}

/** Rests an order at the end of the queue of its price. */
function restInBook(state: State, order: number): void {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const book = state.books[instrument].sides[orders.side(order)];
  orders.setRestedAt(order, state.presentSince);
  if (state.recorded[instrument].hasNoData) book.append(order, Number.POSITIVE_INFINITY, 0);
  else restBehind(state, order, book, state.recorded[instrument].sides[orders.side(order)]);
  if (state.lists.size > 0) recountLegs(state, order);
}

/** Rests an order behind the recorded lots at its price. */
function restBehind(state: State, order: number, book: BookSide, market: RecordedSide): void {
  const ticks = state.orders.ticks(order);
  const pending = market.joinQueue(ticks, state.now);
  book.append(order, market.shown(ticks), pending);
}

function recountLegs(state: State, order: number): void {
  const list = state.lists.of(order);
  if (list !== undefined) state.lists.recount(list);
}

/** Cancels sibling legs that the incoming leg would trade with. */
function cancelCrossingLegs(state: State, order: number): void {
  const { orders } = state;
  const list = state.lists.ofLeg(order);
  if (list === undefined) return;
  const sign = orders.side(order) === BUY ? 1 : -1;
  const crossing = legs(list).filter(
    (leg) =>
      leg !== order &&
      orders.status(leg) !== 'suspended' &&
      orders.level(leg) !== NONE &&
      orders.instrument(leg) === orders.instrument(order) &&
      orders.side(leg) !== orders.side(order) &&
      (orders.ticks(order) === 0 || sign * (orders.ticks(order) - orders.ticks(leg)) >= 0),
  );
  cancelOthers(state, order, crossing);
}

/**
 * True for a triggered market order that may fill further: without a book the recorded market shows
 * one trade or candle, not all available lots.
 */
function canPark(state: State, order: number): boolean {
  const { orders } = state;
  const market = state.recorded[orders.instrument(order)];
  if (market.hasNoData || market.hasBook || !orders.active(order)) return false;
  if (orders.ticks(order) !== 0 || orders.marginFlags(order) !== 0) return false;
  return hasStopPrice(orders.type(order)) && isCovered(state, order);
}

/** Parks an order until the next print; it counts as present since `since`. */
function park(state: State, order: number, since: number): void {
  state.remainders.add(order, since);
  holdFunds(state, order);
}

/** Resumes parked orders that were present at `till`, as the recorded market shows new lots. */
export function resumeTriggered(state: State, instrument: number, till: number): void {
  const parked = state.remainders.upTo(instrument, till);
  if (parked.length === 0) return;
  for (const order of parked) {
    const since = unpark(state, order);
    if (since === undefined) continue;
    reassignReserve(state, order);
    const failure = acceptanceFailure(state, order);
    if (failure === undefined) execute(state, order, since);
    else releaseAndEnd(state, order, failure);
  }
  runFollowUps(state);
}

/** Triggers stop orders and activates lists until none is due. */
export function runFollowUps(state: State): void {
  for (;;) {
    const item = state.followUps.shift();
    if (item === undefined) return;
    if (typeof item === 'number') triggerOrder(state, item);
    else activateList(state, item);
  }
}

/**
 * Activates the secondaries of a filled primary: each reserves funds and is reported, then those
 * that can execute do.
 */
function activateList(state: State, list: OrderList): void {
  const { orders } = state;
  list.waiting = false;
  const members = list.members.filter((order) => order !== NONE);
  for (const order of members) {
    list.active[list.members.indexOf(order)] = true;
    const waits = hasStopPrice(orders.type(order));
    const isMarket = orders.type(order) === 'market';
    if (!isMarket && !isCovered(state, order)) {
      endOrder(state, order, 'canceled');
      continue;
    }
    orders.setStatus(order, waits ? 'suspended' : 'new', state.now);
    holdFunds(state, order);
    state.listener.order(waits ? 'suspended' : 'new', order);
    if (waits) state.stopBook.wait(order, state.presentSince);
  }
  acceptAll(state, members);
}

/** Triggers an order whose stop price is reached. */
function triggerOrder(state: State, order: number): void {
  const { orders } = state;
  if (!orders.active(order)) return;
  if (state.rules.cancelsOnTrigger) cancelLegs(state, order);
  if (orders.ticks(order) === 0) releaseFunds(state, order);
  orders.setStatus(order, 'new', state.now);
  if (orders.ticks(order) === 0) reassignReserve(state, order);
  if (orders.marginFlags(order) !== 0) state.marginAccounts.setCloseQuantity(order);
  const failure = acceptanceFailure(state, order);
  if (failure === undefined) {
    state.listener.order('new', order);
    execute(state, order);
  } else releaseAndEnd(state, order, failure);
}
