import { type NewOrder, TIMES_IN_FORCE } from '../../model/order.ts';
import { minimumRejection } from '../../rules/minimum.ts';
import { isPlainLimit } from '../../rules/order-shape.ts';
import { AVAILABLE as AVAILABLE_POCKET, RESERVED as RESERVED_POCKET } from '../ledger/balances.ts';
import { NONE as NO_ORDER } from '../orders/orders.ts';
import { FIELD, STATUS_CODE, TERMS_BITS } from '../orders/record.ts';
import { BUY as BUY_SIDE, SELL as SELL_SIDE } from '../orders/side.ts';
import type { State } from '../state/state.ts';
import { execute } from './execute.ts';

/** V8 inlines constants of this file and reads imported ones at each use. */
const NONE = NO_ORDER;
const BUY = BUY_SIDE;
const SELL = SELL_SIDE;
const AVAILABLE = AVAILABLE_POCKET;
const RESERVED = RESERVED_POCKET;
const { REMAINING, TICKS, RESTED_AT } = FIELD;
const { ACCOUNT, INSTRUMENT, FEE_SCHEDULE, STATUS, LEVEL, TERMS } = FIELD;
const { SUSPENDED } = STATUS_CODE;
const { TIME_IN_FORCE_BIT, MARGIN_BIT } = TERMS_BITS;
/** TERMS of an IOC limit order; those of a GTC one are the side alone. */
const IOC_TERMS = TIMES_IN_FORCE.indexOf('IOC') << TIME_IN_FORCE_BIT;
/** Recorded lots before an order if there is no recorded market. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * Accepts and executes a plain order: a spot limit order, GTC or IOC, that may take and pays the
 * default fees. Most orders are plain, and only the rules checked here apply to them. Returns false
 * without a change for any other order, and for one that would be rejected: the general path
 * handles those, and would give every plain order the same result.
 */
export function placeFast(
  state: State,
  account: number,
  instrument: number,
  order: NewOrder,
): boolean {
  const { index } = state;
  if (
    !isPlainLimit(order) ||
    !state.statuses.isOpen(instrument) ||
    !state.fees.isDefault(account, instrument, order) ||
    !index.isVacant(account, order.clientOrderId) ||
    minimumRejection(state.instruments[instrument], order) !== undefined ||
    index.activeCount(account) >= state.rules.limits.perAccount ||
    index.activeCountOn(account, instrument) >= state.rules.limits.perSymbol
  ) {
    return false;
  }
  const { ticks = 0, lots } = order;
  const isBuy = order.side === 'buy';
  const side = isBuy ? BUY : SELL;
  const { sides } = state.books[instrument];
  const schedule = state.schedules[instrument];
  const balances = isBuy ? schedule.quote : schedule.base;
  const reserve = isBuy ? schedule.buyReserve : schedule.sellReserve;
  // A buy must leave some funds available; a sell may use them all.
  const isHeld =
    sides[side].hasRoom(ticks, lots) &&
    balances.hold(account, isBuy ? ticks : 1, lots, reserve, isBuy ? 1 : 0);
  if (!isHeld) return false;
  const terms = order.timeInForce === 'IOC' ? side | IOC_TERMS : side;
  const slot = index.openPlain(account, instrument, terms, order.clientOrderId);
  state.orders.begin(slot, ticks, lots, state.now);
  state.ledger.dirty.note(account, isBuy ? schedule.quoteIndex : schedule.baseIndex);
  state.listener.order('new', slot);
  const against = sides[1 - side];
  const rests = terms <= SELL && against.bestKey < against.sign * ticks;
  if (rests && state.lists.size === 0 && state.recorded[instrument].hasNoData) {
    state.orders.doubles[(slot << 4) | RESTED_AT] = state.presentSince;
    sides[side].append(slot, ALL, 0);
  } else execute(state, slot);
  return true;
}

/** Cancels a resting spot order of no list; returns false without a change for any other. */
export function cancelFast(state: State, order: number): boolean {
  const { doubles, integers } = state.orders;
  const i = order << 5;
  const terms = integers[i | TERMS];
  const level = integers[i | LEVEL];
  if (state.lists.size > 0 || level === NONE || terms >> MARGIN_BIT !== 0) return false;
  if (integers[i | STATUS] === SUSPENDED) return false;
  const side = terms & 1;
  state.books[integers[i | INSTRUMENT]].sides[side].remove(order);
  const schedule = state.schedules[integers[i | FEE_SCHEDULE]];
  const account = integers[i | ACCOUNT];
  const left = doubles[(order << 4) | REMAINING];
  if (side === BUY) {
    const ticks = doubles[(order << 4) | TICKS];
    schedule.quote.move(account, RESERVED, AVAILABLE, ticks, left, schedule.buyReserve);
    state.ledger.dirty.note(account, schedule.quoteIndex);
  } else {
    schedule.base.move(account, RESERVED, AVAILABLE, 1, left, schedule.sellReserve);
    state.ledger.dirty.note(account, schedule.baseIndex);
  }
  state.index.end(order, 'canceled', state.now);
  state.listener.order('canceled', order);
  state.index.clearAway(order);
  return true;
}
