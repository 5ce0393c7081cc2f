import { type Decimal, ZERO } from '../../model/decimal.ts';
import { product } from '../../model/units.ts';
import { unrealizedPnl } from '../../rules/margin/position-value.ts';
import type { Direction } from '../../rules/margin/quotient.ts';
import { orderReserve, positionReserve } from '../../rules/margin/reserve.ts';
import { isLeg } from '../orders/lists.ts';
import { NONE } from '../orders/orders.ts';
import { BUY, SELL } from '../orders/side.ts';
import { amountOf, type MarginAccount, type Position } from '../positions/account.ts';
import { LIQUIDATION, REDUCE_ONLY } from '../positions/flags.ts';
import type { State } from '../state/state.ts';

/** An order that is not accepted yet. */
export interface Candidate {
  readonly instrument: number;
  readonly side: number;
  readonly lots: number;
  /** Value in ticks × lots of its first `lots` lots to execute. */
  valueOf(lots: number): bigint;
}

/**
 * Margin that an account holds. For each symbol: for its position, and for its buy or its sell
 * orders, whichever need more. Orders against a position first reduce it, the oldest first, and
 * hold for the excess. Of legs that exclude each other the most expensive of a side counts.
 * Reduce-only and inactive orders hold nothing.
 */

/** Margin held for the orders of an account, with one added or one left out. */
export function ordersRequirement(
  state: State,
  account: MarginAccount,
  candidate?: Candidate,
  without = NONE,
): Decimal {
  const orders = activeMarginOrders(state, account).filter((order) => order !== without);
  return requirementOf(state, account, orders, 'up', candidate);
}

/** Margin held for an account's positions, open losses included. */
export function positionsRequirement(state: State, account: MarginAccount): Decimal {
  let sum = ZERO;
  for (const position of account.positions.values()) {
    sum = sum.plus(positionRequirement(state, position, 'up', lossOf(state, position)));
  }
  return sum;
}

/** True while the funds cover positions and orders, open losses not counted. */
export function coversRequirement(state: State, account: MarginAccount): boolean {
  let need = requirementOf(state, account, activeMarginOrders(state, account), 'down');
  for (const position of account.positions.values()) {
    need = need.plus(positionRequirement(state, position, 'down', ZERO));
  }
  return account.balance.greaterThanOrEqualTo(need);
}

/** The active orders of an account, oldest first. */
export function activeMarginOrders(state: State, account: MarginAccount): number[] {
  const { orders } = state;
  const found: number[] = [];
  for (
    let order = state.index.first(account.key.trader);
    order !== NONE;
    order = orders.accountNext(order)
  ) {
    if (orders.marginFlags(order) === 0) continue;
    if (state.marginAccounts.ofOrder(order) === account) found.push(order);
  }
  return found;
}

/** The newest order that holds funds, undefined if none does. */
export function youngestReserving(state: State, account: MarginAccount): number | undefined {
  return activeMarginOrders(state, account).findLast((order) => counts(state, order));
}

/** Value of the orders that would increase a position, of the larger side. */
export function growthValue(
  state: State,
  account: MarginAccount,
  instrument: number,
  candidate?: Candidate,
): Decimal {
  const orders = activeMarginOrders(state, account);
  return amountOf(
    state.instruments[instrument],
    openValue(state, account, orders, instrument, candidate),
  );
}

function requirementOf(
  state: State,
  account: MarginAccount,
  orders: readonly number[],
  direction: Direction,
  candidate?: Candidate,
): Decimal {
  const instruments = new Set(orders.map((order) => state.orders.instrument(order)));
  if (candidate !== undefined) instruments.add(candidate.instrument);
  let sum = ZERO;
  for (const instrument of instruments) {
    const { leverage, rate } = state.marginAccounts.deal(account, instrument);
    const value = openValue(state, account, orders, instrument, candidate);
    const amount = amountOf(state.instruments[instrument], value);
    sum = sum.plus(orderReserve(amount, leverage, rate, direction));
  }
  return sum;
}

function positionRequirement(
  state: State,
  position: Position,
  direction: Direction,
  loss: Decimal,
): Decimal {
  const { leverage, rate } = state.marginAccounts.deal(position.account, position.instrument);
  return positionReserve({ value: position.value.value, leverage, rate, loss }, direction);
}

function lossOf(state: State, position: Position): Decimal {
  const price = state.prices.price(position.instrument);
  return price === undefined ? ZERO : unrealizedPnl(position.value, price).negated();
}

function openValue(
  state: State,
  account: MarginAccount,
  orders: readonly number[],
  instrument: number,
  candidate?: Candidate,
): bigint {
  const lots = account.positions.get(instrument)?.lots ?? 0;
  const own = orders.filter((order) => state.orders.instrument(order) === instrument);
  const onSide = (side: number, reducible: number): bigint => {
    let left = Math.max(0, reducible);
    let sum = 0n;
    for (const order of own) {
      if (state.orders.side(order) !== side || !counts(state, order)) continue;
      const size = state.orders.remaining(order);
      const reducing = Math.min(left, size);
      left -= reducing;
      sum += BigInt(state.stops.reserveTicks(order)) * BigInt(size - reducing);
    }
    if (candidate?.instrument !== instrument || candidate.side !== side) return sum;
    const reducing = Math.min(left, candidate.lots);
    return sum + candidate.valueOf(candidate.lots) - candidate.valueOf(reducing);
  };
  const buys = onSide(BUY, -lots);
  const sells = onSide(SELL, lots);
  return buys > sells ? buys : sells;
}

/** True for an order that needs its own funds to execute. */
function counts(state: State, order: number): boolean {
  const { orders } = state;
  if ((orders.marginFlags(order) & (REDUCE_ONLY | LIQUIDATION)) !== 0) return false;
  if (orders.ticks(order) === 0 && orders.status(order) !== 'suspended') return false;
  const list = state.lists.of(order);
  if (list === undefined) return true;
  const index = list.members.indexOf(order);
  if (!list.active[index]) return false;
  if (!isLeg(list, index)) return true;
  const rivals = list.members.filter(
    (other, at) =>
      other !== NONE &&
      list.active[at] &&
      isLeg(list, at) &&
      (orders.marginFlags(other) & REDUCE_ONLY) === 0 &&
      orders.side(other) === orders.side(order) &&
      orders.instrument(other) === orders.instrument(order),
  );
  return rivals.every((other) => !isDearer(state, other, order));
}

/** If two need the same, the first counts. */
function isDearer(state: State, one: number, other: number): boolean {
  const value = (order: number): number | bigint =>
    product(state.stops.reserveTicks(order), state.orders.remaining(order));
  const [a, b] = [value(one), value(other)];
  return a > b || (a === b && state.orders.id(one) < state.orders.id(other));
}
