import { fillMargin, noteReducing } from '../clearing/positions.ts';
import { AVAILABLE as AVAILABLE_POCKET, RESERVED as RESERVED_POCKET } from '../ledger/balances.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import { HOUSE, RECORDED_MARKET } from '../ledger/ledger.ts';
import { BUY as BUY_SIDE } from '../orders/side.ts';
import type { State } from '../state/state.ts';

/** Constants of this file become part of the code that V8 makes; those of others are read each time. */
const AVAILABLE = AVAILABLE_POCKET;
const RESERVED = RESERVED_POCKET;
const BUY = BUY_SIDE;

/** Holds the funds for the remainder of an order that waits. */
export function holdOwn(state: State, order: number): void {
  moveReserve(state, order, AVAILABLE, RESERVED);
}

/** Gives back what is held for the remainder of an order that waits. */
export function releaseOwn(state: State, order: number): void {
  moveReserve(state, order, RESERVED, AVAILABLE);
}

function moveReserve(state: State, order: number, from: number, to: number): void {
  const { orders } = state;
  // What margin orders hold is reckoned from the orders that there are, not kept.
  if (orders.margin(order) !== 0) {
    noteReducing(state, order);
    return;
  }
  const schedule = state.schedules[orders.feeSchedule(order)];
  const row = orders.account(order);
  const isBuy = orders.side(order) === BUY;
  const balances = isBuy ? schedule.quote : schedule.base;
  const reserve = isBuy ? schedule.buyReserve : schedule.sellReserve;
  // A market order has no limit, and holds by its stop price.
  const ticks = isBuy ? orders.ticks(order) || state.stops.reserveTicks(order) : 1;
  balances.move(row, from, to, ticks, orders.remaining(order), reserve);
  state.ledger.dirty.note(row, isBuy ? schedule.quoteIndex : schedule.baseIndex);
}

/** Settles a resting order's side of a trade, its fee included; the surplus of what it held is free again. */
export function fillMaker(state: State, order: number, ticks: number, lots: number): void {
  const { orders } = state;
  if (orders.margin(order) !== 0) {
    fillMargin(state, order, ticks, lots, false);
    return;
  }
  const schedule = state.schedules[orders.feeSchedule(order)];
  if (orders.side(order) === BUY) makerBuys(state, orders.account(order), schedule, ticks, lots);
  else makerSells(state, orders.account(order), schedule, ticks, lots);
  makersOwe(schedule, ticks, lots, lots);
}

/** The same where it is known that a spot order of an account buys at its own price, but for the fee to the house. */
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

/** The same where it sells. */
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

/** Gives the house the fee of makers of a fee schedule for so many lots, a × b being their price in ticks times lots. */
export function makersOwe(schedule: FeeSchedule, a: number, b: number, lots: number): void {
  const { fee } = schedule.maker;
  if (schedule.feeInQuote) schedule.quote.add(HOUSE, AVAILABLE, a, b, fee);
  else schedule.base.add(HOUSE, AVAILABLE, 1, lots, fee);
}

/** The same for an incoming order: what it trades adds up until `settle`. */
export function fillTaker(state: State, order: number, ticks: number, lots: number): void {
  const { orders } = state;
  if (orders.margin(order) !== 0) {
    fillMargin(state, order, ticks, lots, true);
    return;
  }
  // It is noted with the first trade, which its balances change with; the others add to that.
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

/** Notes the balances that an incoming order changes, first the one that was held for it. */
export function noteTaker(state: State, order: number): void {
  const { orders } = state;
  const schedule = state.schedules[orders.feeSchedule(order)];
  const row = orders.account(order);
  const isHeldInQuote = orders.side(order) === BUY && orders.ticks(order) !== 0;
  const { quoteIndex, baseIndex } = schedule;
  if (isHeldInQuote) state.ledger.dirty.noteBoth(row, quoteIndex, baseIndex);
  else state.ledger.dirty.noteBoth(row, baseIndex, quoteIndex);
}

/** Settles what an incoming order has traded: one payment for all, as exact as one for each. */
export function settleTaker(state: State, order: number): void {
  if (state.takenLots === 0) return;
  payTaker(state, order, state.takenValue, state.takenLots);
  state.takenValue = 0;
  state.takenLots = 0;
}

/** The same for lots that came to `value` ticks times lots together, which is an exact number. */
export function payTaker(state: State, order: number, value: number, lots: number): void {
  payTakerFor(state, order, value, 1, lots);
}

/** Pays for so many lots, a × b being their price in ticks times lots. */
function payTakerFor(state: State, order: number, a: number, b: number, lots: number): void {
  const { orders } = state;
  const schedule = state.schedules[orders.feeSchedule(order)];
  const role = schedule.taker;
  const row = orders.account(order);
  const limit = orders.ticks(order);
  const { quote, base } = schedule;
  const isBuy = orders.side(order) === BUY;
  // Of quote a × b moves, of base 1 × lots; a buy gives the first for the second.
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

/** Settles the side of the recorded market, which was the counterparty of an order of `side`. */
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
