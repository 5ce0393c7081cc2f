import type { Decimal } from '../../model/decimal.ts';
import { reserveOf } from '../../rules/funds.ts';
import { legs, type OrderList } from '../orders/lists.ts';
import { BUY, sideName } from '../orders/side.ts';
import type { State } from '../state/state.ts';
import { isMarginCovered } from './margin-check.ts';
import { holdOwn, releaseOwn } from './settle.ts';

/**
 * Reservations. A single order holds its own. Of legs that exclude each other only one can execute,
 * so in each currency the leg that needs most holds for all. A margin order holds nothing here, as
 * its margin account pays, so it holds for no spot leg.
 */

/** Reserves what an active order needs; nothing for a market order that executes. */
export function holdFunds(state: State, order: number): void {
  if (executesAtMarket(state, order)) return;
  if (state.lists.size > 0) holdInList(state, order);
  else holdOwn(state, order);
}

function holdInList(state: State, order: number): void {
  if (state.lists.isInactive(order)) return;
  const list = state.lists.ofLeg(order);
  if (list === undefined || isOnMargin(state, order)) {
    holdOwn(state, order);
  } else if (list.decided) takeHold(state, list, order);
  else regroupFunds(state, list);
}

/** Releases the reservation of an order's remainder. */
export function releaseFunds(state: State, order: number): void {
  if (executesAtMarket(state, order)) return;
  if (state.lists.size > 0) releaseInList(state, order);
  else releaseOwn(state, order);
}

function releaseInList(state: State, order: number): void {
  if (state.lists.isInactive(order)) return;
  const list = state.lists.ofLeg(order);
  if (list === undefined) releaseOwn(state, order);
  else giveHold(state, list, order);
}

/** Moves the reservation of a set of legs to the leg that needs most, in each currency. */
export function regroupFunds(state: State, list: OrderList): void {
  if (list.decided) return;
  const most = new Map<number, number>();
  for (const order of legs(list)) {
    if (executesAtMarket(state, order) || state.lists.isInactive(order)) continue;
    if (isOnMargin(state, order)) continue;
    const currency = payingCurrencyOf(state, order);
    const previous = most.get(currency);
    if (
      previous === undefined ||
      fundsNeeded(state, order).greaterThan(fundsNeeded(state, previous))
    ) {
      most.set(currency, order);
    }
  }
  const holders = new Set(most.values());
  for (const order of legs(list)) if (!holders.has(order)) giveHold(state, list, order);
  for (const order of holders) takeHold(state, list, order);
}

/** Makes the set's reservation in its currency that of a leg about to execute. */
export function claimFunds(state: State, order: number): void {
  const list = state.lists.ofLeg(order);
  if (list === undefined || list.decided) return;
  list.decided = true;
  for (const leg of legs(list)) {
    if (leg !== order && payingCurrencyOf(state, leg) === payingCurrencyOf(state, order))
      giveHold(state, list, leg);
  }
  if (!executesAtMarket(state, order) && !isOnMargin(state, order)) takeHold(state, list, order);
}

/** Funds for an order: the available balance, and the reservation of the order or its set. */
export function spendable(state: State, order: number): Decimal {
  const currency = payingCurrencyOf(state, order);
  const available = state.ledger.available(state.orders.account(order), currency);
  const list = state.lists.ofLeg(order);
  if (list === undefined) return available;
  return legs(list)
    .filter(
      (leg) => list.holds[list.members.indexOf(leg)] && payingCurrencyOf(state, leg) === currency,
    )
    .reduce((sum, leg) => sum.plus(fundsNeeded(state, leg)), available);
}

/** Funds for an order's remainder, at its limit or at a price derived from its stop price. */
export function fundsNeeded(state: State, order: number): Decimal {
  const { orders } = state;
  const { instrument, rates } = state.schedules[orders.feeSchedule(order)];
  const side = sideName(orders.side(order));
  return reserveOf(
    instrument,
    side,
    state.stops.reserveTicks(order),
    orders.remaining(order),
    rates,
  );
}

/** True if the funds cover an order: a buy must leave some, a sell may use them all. */
export function isCovered(state: State, order: number): boolean {
  if (isOnMargin(state, order)) return isMarginCovered(state, order);
  const available = spendable(state, order);
  const need = fundsNeeded(state, order);
  return state.orders.side(order) === BUY
    ? available.greaterThan(need)
    : available.greaterThanOrEqualTo(need);
}

function takeHold(state: State, list: OrderList, order: number): void {
  const index = list.members.indexOf(order);
  if (list.holds[index]) return;
  list.holds[index] = true;
  holdOwn(state, order);
}

function giveHold(state: State, list: OrderList, order: number): void {
  const index = list.members.indexOf(order);
  if (!list.holds[index]) return;
  list.holds[index] = false;
  releaseOwn(state, order);
}

/** Currency that an order pays with. */
function payingCurrencyOf(state: State, order: number): number {
  const schedule = state.schedules[state.orders.instrument(order)];
  return state.orders.side(order) === BUY ? schedule.quoteIndex : schedule.baseIndex;
}

function isOnMargin(state: State, order: number): boolean {
  return state.orders.marginFlags(order) !== 0;
}

function executesAtMarket(state: State, order: number): boolean {
  const { orders } = state;
  if (orders.ticks(order) !== 0 || orders.suspended(order)) return false;
  return !state.remainders.has(order);
}
