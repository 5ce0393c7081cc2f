import { fillMargin, noteReducing } from '../clearing/positions.ts';
import { AVAILABLE as AVAILABLE_POCKET, RESERVED as RESERVED_POCKET } from '../ledger/balances.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import { HOUSE, RECORDED_MARKET } from '../ledger/ledger.ts';
import { BUY as BUY_SIDE } from '../orders/side.ts';
import type { State } from '../state/state.ts';

/** V8 inlines constants of this file and reads imported ones at each use. */
const AVAILABLE = AVAILABLE_POCKET;
const RESERVED = RESERVED_POCKET;
const BUY = BUY_SIDE;

/** Reserves funds for a waiting order's remainder. */
export function holdOwn(state: State, order: number): void {
  moveReserve(state, order, AVAILABLE, RESERVED);
}

/** Releases the funds of a waiting order's remainder. */
export function releaseOwn(state: State, order: number): void {
  moveReserve(state, order, RESERVED, AVAILABLE);
}

function moveReserve(state: State, order: number, from: number, to: number): void {
  const { orders } = state;
  // Margin of orders is computed from the active orders, not stored.
  if (orders.marginFlags(order) !== 0) {
    noteReducing(state, order);
    return;
  }
  const schedule = state.schedules[orders.feeSchedule(order)];
  const row = orders.account(order);
  const isBuy = orders.side(order) === BUY;
  const balances = isBuy ? schedule.quote : schedule.base;
  const reserve = isBuy ? schedule.buyReserve : schedule.sellReserve;
  // A market order has no limit, and reserves by its stop price.
  const ticks = isBuy ? orders.ticks(order) || state.stops.reserveTicks(order) : 1;
  balances.move(row, from, to, ticks, orders.remaining(order), reserve);
  state.ledger.dirty.note(row, isBuy ? schedule.quoteIndex : schedule.baseIndex);
}

/**
 * Settles a resting order's side of a trade with its fee; the surplus of its reservation is
 * released.
 */
export function fillMaker(state: State, order: number, ticks: number, lots: number): void {
  const { orders } = state;
  if (orders.marginFlags(order) !== 0) {
    fillMargin(state, order, ticks, lots, false);
    return;
  }
  const schedule = state.schedules[orders.feeSchedule(order)];
  if (orders.side(order) === BUY) makerBuys(state, orders.account(order), schedule, ticks, lots);
  else makerSells(state, orders.account(order), schedule, ticks, lots);
  makersOwe(schedule, ticks, lots, lots);
}

/**
 * Same as `fillMaker` for a spot buy of a user account at its own price, without the fee to the
 * exchange.
 */
export function makerBuys(
  state: State,
  account: number,
  schedule: FeeSchedule,
  ticks: number,
  lots: number,
): void {
  const { quote, base, maker } = schedule;
  quote.pay(account, ticks, lots, schedule.buyReserve, ticks, lots, maker.buyerPays);
  base.add(account, AVAILABLE, 1, lots, maker.buyerGets);
  state.ledger.dirty.noteBoth(account, schedule.quoteIndex, schedule.baseIndex);
}

/** Same as `makerBuys` for a sell. */
export function makerSells(
  state: State,
  account: number,
  schedule: FeeSchedule,
  ticks: number,
  lots: number,
): void {
  const { quote, base, maker } = schedule;
  base.pay(account, 1, lots, schedule.sellReserve, 1, lots, maker.sellerPays);
  quote.add(account, AVAILABLE, ticks, lots, maker.sellerGets);
  state.ledger.dirty.noteBoth(account, schedule.baseIndex, schedule.quoteIndex);
}

/**
 * Pays the exchange the makers' fees of a schedule for `lots`, a × b being their price in ticks
 * times lots.
 */
export function makersOwe(schedule: FeeSchedule, a: number, b: number, lots: number): void {
  const { fee } = schedule.maker;
  if (schedule.feeInQuote) schedule.quote.add(HOUSE, AVAILABLE, a, b, fee);
  else schedule.base.add(HOUSE, AVAILABLE, 1, lots, fee);
}

/** Adds a trade of an incoming order to the sum that `settleTaker` pays. */
export function fillTaker(state: State, order: number, ticks: number, lots: number): void {
  const { orders } = state;
  if (orders.marginFlags(order) !== 0) {
    fillMargin(state, order, ticks, lots, true);
    return;
  }
  // The first trade notes the balances; later ones only add to the sum.
  if (state.takenLots === 0) noteTaker(state, order);
  const value = state.takenValue + ticks * lots;
  if (value <= Number.MAX_SAFE_INTEGER) {
    state.takenValue = value;
    state.takenLots += lots;
  } else {
    settleTaker(state, order);
    payTakerFor(state, order, ticks, lots, lots);
  }
}

/** Notes the balances that an incoming order changes, first the one it pays with. */
export function noteTaker(state: State, order: number): void {
  const { orders } = state;
  const schedule = state.schedules[orders.feeSchedule(order)];
  const row = orders.account(order);
  const isHeldInQuote = orders.side(order) === BUY && orders.ticks(order) !== 0;
  const { quoteIndex, baseIndex } = schedule;
  if (isHeldInQuote) state.ledger.dirty.noteBoth(row, quoteIndex, baseIndex);
  else state.ledger.dirty.noteBoth(row, baseIndex, quoteIndex);
}

/** Settles all trades of an incoming order in one payment, as exact as one for each. */
export function settleTaker(state: State, order: number): void {
  if (state.takenLots === 0) return;
  payTaker(state, order, state.takenValue, state.takenLots);
  state.takenValue = 0;
  state.takenLots = 0;
}

/** Same as `settleTaker` for `lots` at `value` ticks × lots in total, an exact number. */
export function payTaker(state: State, order: number, value: number, lots: number): void {
  payTakerFor(state, order, value, 1, lots);
}

/** Pays for `lots`, a × b being their price in ticks times lots. */
function payTakerFor(state: State, order: number, a: number, b: number, lots: number): void {
  const { orders } = state;
  const schedule = state.schedules[orders.feeSchedule(order)];
  const role = schedule.taker;
  const row = orders.account(order);
  const limit = orders.ticks(order);
  const { quote, base } = schedule;
  const isBuy = orders.side(order) === BUY;
  // Of quote a × b moves, of base 1 × lots; a buy pays the first for the second.
  const giving = isBuy ? quote : base;
  const getting = isBuy ? base : quote;
  const pays = isBuy ? role.buyerPays : role.sellerPays;
  const gets = isBuy ? role.buyerGets : role.sellerGets;
  const c = isBuy ? a : 1;
  const d = isBuy ? b : lots;
  if (limit === 0) giving.subtract(row, AVAILABLE, c, d, pays);
  else {
    const reserve = isBuy ? schedule.buyReserve : schedule.sellReserve;
    giving.pay(row, isBuy ? limit : 1, lots, reserve, c, d, pays);
  }
  getting.add(row, AVAILABLE, isBuy ? 1 : a, isBuy ? lots : b, gets);
  if (schedule.feeInQuote) quote.add(HOUSE, AVAILABLE, a, b, role.fee);
  else base.add(HOUSE, AVAILABLE, 1, lots, role.fee);
}

/** Settles the side of the recorded market against an order of `side`. */
export function settleMarket(
  state: State,
  instrument: number,
  side: number,
  ticks: number,
  lots: number,
): void {
  const schedule = state.schedules[instrument];
  if (side === BUY) {
    schedule.base.subtract(RECORDED_MARKET, AVAILABLE, 1, lots, schedule.lot);
    schedule.quote.add(RECORDED_MARKET, AVAILABLE, ticks, lots, schedule.value);
  } else {
    schedule.base.add(RECORDED_MARKET, AVAILABLE, 1, lots, schedule.lot);
    schedule.quote.subtract(RECORDED_MARKET, AVAILABLE, ticks, lots, schedule.value);
  }
}
