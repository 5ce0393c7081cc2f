import { NONE as NO_ORDER } from '../orders/orders.ts';
import { BUY as BUY_SIDE, SELL as SELL_SIDE } from '../orders/side.ts';
import type { BookSide } from '../book/book.ts';
import { FIELD } from '../orders/record.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';
import type { RecordedSide } from '../recorded/recorded-side.ts';
import type { State } from '../state/state.ts';
import { claimFunds } from './reserve.ts';
import {
  fillMaker,
  fillTaker,
  makerBuys,
  makerSells,
  makersOwe,
  noteTaker,
  payTaker,
  settleMarket,
  settleTaker,
} from './settle.ts';
import { afterFill, preventSelfTrade } from './withdraw.ts';

const BUY = BUY_SIDE;
const SELL = SELL_SIDE;
const NONE = NO_ORDER;
const NO_KEY = Number.NEGATIVE_INFINITY;
const { REMAINING, TICKS, ACCOUNT, FEE_SCHEDULE } = FIELD;

/** Executes an incoming order against everything it crosses; false if an own order ends it. */
export function match(state: State, order: number): boolean {
  const { orders } = state;
  const instrument = orders.instrument(order);
  const side = orders.side(order) === BUY ? SELL : BUY;
  const book = state.books[instrument].sides[side];
  const market = state.recorded[instrument];
  const ticks = orders.ticks(order);
  const reach = ticks === 0 ? -Number.MAX_VALUE : book.sign * ticks;
  if (market.hasNoData) {
    if (book.bestKey < reach) return true;
    if (state.lists.size === 0 && !state.selfMatch.prevents && orders.marginFlags(order) === 0) {
      crossBook(state, order, instrument, book, reach, state.now);
      if (book.bestKey < reach || orders.remaining(order) === 0) return true;
    }
  }
  return takeFrom(state, order, book, market, reach);
}

/**
 * Executes a spot order against the orders in `book` at key `reach` or better. Stops before a
 * margin order, and before a sum becomes inexact.
 */
export function crossBook(
  state: State,
  taker: number,
  instrument: number,
  book: BookSide,
  reach: number,
  now: number,
): void {
  const { orders, listener, schedules } = state;
  const takes = book.sign > 0 ? SELL : BUY;
  const requested = orders.remaining(taker);
  let left = requested;
  let value = 0;
  // Most makers pay by the default fee schedule, so their fees are paid in one sum.
  const defaults = schedules[instrument];
  let otherValue = 0;
  let otherLots = 0;
  while (left > 0 && book.bestKey >= reach) {
    const { doubles, integers } = orders;
    const maker = book.head(book.best());
    const room = doubles[(maker << 4) | REMAINING];
    const ticks = doubles[(maker << 4) | TICKS];
    const lots = left < room ? left : room;
    const sum = value + ticks * lots;
    if (orders.marginFlags(maker) !== 0 || sum > Number.MAX_SAFE_INTEGER) break;
    state.tradeId += 1;
    orders.setRemaining(maker, room - lots, now);
    const account = integers[(maker << 5) | ACCOUNT];
    const number = integers[(maker << 5) | FEE_SCHEDULE];
    const schedule = number === instrument ? defaults : schedules[number];
    if (takes === SELL) makerBuys(state, account, schedule, ticks, lots);
    else makerSells(state, account, schedule, ticks, lots);
    if (schedule !== defaults) {
      makersOwe(schedule, ticks, lots, lots);
      otherValue += ticks * lots;
      otherLots += lots;
    }
    listener.fill(maker, state.tradeId, ticks, lots, false);
    book.shrinkFirst(maker, lots, lots === room);
    // Its balances are noted at the first trade and change at settlement.
    if (value === 0) noteTaker(state, taker);
    left -= lots;
    value = sum;
    orders.setRemaining(taker, left, now);
    listener.fill(taker, state.tradeId, ticks, lots, true);
    publishTrade(state, instrument, ticks, lots, takes);
    if (lots === room) state.index.retire(maker);
    state.stopBook.traded(instrument, ticks);
  }
  const taken = requested - left;
  if (taken === 0) return;
  makersOwe(defaults, value - otherValue, 1, taken - otherLots);
  payTaker(state, taker, value, taken);
}

function takeFrom(
  state: State,
  order: number,
  book: BookSide,
  { hasNoData, sides }: RecordedMarket,
  reach: number,
): boolean {
  const market = sides[book.sign > 0 ? BUY : SELL];
  if (!hasNoData) market.start();
  const goesOn = takeAll(state, order, book, market, reach);
  settleTaker(state, order);
  return goesOn;
}

function takeAll(
  state: State,
  order: number,
  book: BookSide,
  market: RecordedSide,
  reach: number,
): boolean {
  let left = roomOf(state, order);
  while (left > 0) {
    const key = book.bestKey;
    if (key < reach && market.key < reach) return true;
    let lots: number;
    if (key < market.key) {
      lots = Math.min(left, market.open);
      const ticks = market.sign * market.key;
      market.take(lots);
      takeFromMarket(state, order, ticks, lots);
    } else {
      const level = book.best();
      const maker = book.head(level);
      const ahead = key === market.key ? Math.min(book.ahead(maker), market.open) : 0;
      if (ahead > 0) {
        lots = Math.min(left, ahead);
        const ticks = market.sign * market.key;
        market.take(lots);
        book.advance(level, lots);
        takeFromMarket(state, order, ticks, lots);
      } else if (state.selfMatch.prevents && isPrevented(state, order, maker)) {
        if (!preventSelfTrade(state, order, maker)) return false;
        left = roomOf(state, order);
        continue;
      } else {
        lots = Math.min(left, roomOf(state, maker));
        tradeBetween(state, book, maker, order, lots);
      }
    }
    left -= lots;
  }
  return true;
}

/** True if self-trade prevention forbids a trade between two orders of one account. */
function isPrevented(state: State, taker: number, maker: number): boolean {
  const account = state.orders.account(taker);
  return account === state.orders.account(maker) && state.selfMatch.mode(account) !== 'none';
}

/**
 * Applies a trade of the recorded market whose aggressor hit `side`. It fills resting orders of
 * that side, those at better prices first, then those at its own price after the recorded lots
 * before them, in total for at most its lots. The display had lost `counted` of its lots before,
 * and `pending` at its price in all. Returns the lots left.
 */
export function matchPrint(
  state: State,
  instrument: number,
  side: number,
  ticks: number,
  size: number,
  counted: number,
  pending: number,
): number {
  const left = sweep(state, instrument, side, ticks, size);
  if (left === 0) return 0;
  const level = state.books[instrument].sides[side].at(ticks);
  return level === NONE ? left : reachQueue(state, instrument, side, level, left, counted, pending);
}

/** Fills resting orders of a side at better prices than `ticks`; returns the lots left. */
export function sweep(
  state: State,
  instrument: number,
  side: number,
  ticks: number,
  size: number,
): number {
  const book = state.books[instrument].sides[side];
  const reach = book.sign * ticks;
  let left = size;
  while (left > 0) {
    const level = book.best();
    if (level === NONE || book.key(level) <= reach) return left;
    const order = book.head(level);
    const lots = Math.min(left, roomOf(state, order));
    fillResting(state, book, order, lots);
    left -= lots;
  }
  return 0;
}

/**
 * Same as `sweep`, only for orders that rested by a time: later ones did not see the trade. With
 * `halts` a fill with follow-ups ends it, with its price as `haltedAt`.
 */
export function sweepEarly(
  state: State,
  instrument: number,
  side: number,
  ticks: number,
  size: number,
  till: number,
  halts = false,
): number {
  const book = state.books[instrument].sides[side];
  const reach = book.sign * ticks;
  let left = size;
  state.haltedAt = Number.NaN;
  while (left > 0) {
    // A fill may end other orders of its list, so the search starts again.
    const order = firstEarly(state, book, reach, till);
    if (order === NONE) return left;
    const lots = Math.min(left, roomOf(state, order));
    const price = state.orders.ticks(order);
    fillResting(state, book, order, lots);
    left -= lots;
    if (!halts || state.followUps.length === 0) continue;
    state.haltedAt = price;
    return left;
  }
  return 0;
}

/** First order of a side beyond a key that rested at a time or before, else NONE. */
function firstEarly(state: State, book: BookSide, reach: number, till: number): number {
  const { orders } = state;
  let level = book.best();
  while (level !== NONE && book.key(level) > reach) {
    let order = book.head(level);
    while (order !== NONE && orders.restedAt(order) > till) order = orders.next(order);
    if (order !== NONE) return order;
    level = book.below(book.key(level));
  }
  return NONE;
}

/** Applies a trade to the orders at its own price; returns the lots left if none rests there. */
function reachQueue(
  state: State,
  instrument: number,
  side: number,
  level: number,
  size: number,
  counted: number,
  pending: number,
): number {
  const book = state.books[instrument].sides[side];
  const fresh = Math.max(0, size - counted);
  const ticks = book.sign * book.key(level);
  let filled = 0;
  for (let queue = level; ;) {
    const order = book.head(queue);
    book.bound(order, pending);
    const behind = book.reached(order, size - filled, fresh - filled);
    const room = roomOf(state, order);
    const lots = Math.min(room, behind);
    if (lots > 0) {
      filled += lots;
      const whole = lots === room;
      fillResting(state, book, order, lots);
      // A fill may end other orders of its list, later ones in the queue too.
      queue = book.at(ticks);
      if (queue === NONE) return size - filled;
      if (whole) continue;
    }
    book.print(queue, size - filled, Math.max(0, fresh - filled));
    return 0;
  }
}

/**
 * Fills resting orders that the other side of the recorded market has reached, for the lots it
 * shows.
 */
export function matchCrossed(state: State, instrument: number): void {
  crossSide(state, instrument, BUY);
  crossSide(state, instrument, SELL);
}

function crossSide(state: State, instrument: number, side: number): void {
  const book = state.books[instrument].sides[side];
  if (book.count === 0) return;
  const market = state.recorded[instrument].sides[side === BUY ? SELL : BUY];
  market.start();
  for (;;) {
    const level = book.best();
    // The keys of the two sides have opposite signs: a sum of 0 or more means at or through.
    if (level === NONE || market.key === NO_KEY || book.key(level) + market.key < 0) return;
    const order = book.head(level);
    const lots = Math.min(market.open, roomOf(state, order));
    fillResting(state, book, order, lots);
    market.take(lots);
  }
}

/** Aligns the queues of a side with the recorded market, from the best price to `ticks`. */
export function recapSide(state: State, instrument: number, side: number, ticks: number): void {
  const book = state.books[instrument].sides[side];
  const market = state.recorded[instrument].sides[side];
  const worst = book.sign * ticks;
  let level = book.best();
  while (level !== NONE && book.key(level) >= worst) {
    book.cap(level, market.shown(book.sign * book.key(level)));
    level = book.below(book.key(level));
  }
}

/** Same as `recapSide` for one price. */
export function recapAt(state: State, instrument: number, side: number, ticks: number): void {
  const book = state.books[instrument].sides[side];
  const level = book.at(ticks);
  if (level !== NONE) book.cap(level, state.recorded[instrument].sides[side].shown(ticks));
}

/** Publishes a recorded trade whose aggressor is of `side`; it then gets a trade id. */
export function publishPrint(
  state: State,
  instrument: number,
  side: number,
  ticks: number,
  lots: number,
): void {
  if (state.marketData === undefined || lots <= 0) return;
  state.tradeId += 1;
  publishTrade(state, instrument, ticks, lots, side);
}

/** Fills a resting order against the recorded market at its own price. */
function fillResting(state: State, book: BookSide, order: number, lots: number): void {
  state.filledByMarket += lots;
  const ticks = state.orders.ticks(order);
  marketTrade(state, order, ticks, lots, false);
  book.shrink(order, lots);
  if (state.orders.remaining(order) === 0) state.index.end(order, 'filled', state.now);
  follow(state, order);
  state.stopBook.traded(state.orders.instrument(order), ticks);
}

function marketTrade(
  state: State,
  order: number,
  ticks: number,
  lots: number,
  taker: boolean,
): void {
  state.tradeId += 1;
  const instrument = state.orders.instrument(order);
  const side = state.orders.side(order);
  settleMarket(state, instrument, side, ticks, lots);
  fill(state, order, ticks, lots, taker);
  publishTrade(state, instrument, ticks, lots, taker ? side : 1 - side);
}

function takeFromMarket(state: State, order: number, ticks: number, lots: number): void {
  marketTrade(state, order, ticks, lots, true);
  follow(state, order);
  state.stopBook.traded(state.orders.instrument(order), ticks);
}

function tradeBetween(
  state: State,
  book: BookSide,
  maker: number,
  taker: number,
  lots: number,
): void {
  const { orders } = state;
  const ticks = orders.ticks(maker);
  state.tradeId += 1;
  fill(state, maker, ticks, lots, false);
  book.shrink(maker, lots);
  fill(state, taker, ticks, lots, true);
  const instrument = orders.instrument(taker);
  publishTrade(state, instrument, ticks, lots, orders.side(taker));
  if (!orders.active(maker)) state.index.end(maker, 'filled', state.now);
  follow(state, maker);
  follow(state, taker);
  state.stopBook.traded(instrument, ticks);
}

/** Executable lots of an order: a reduce-only order has at most those of its position. */
function roomOf(state: State, order: number): number {
  const { orders } = state;
  return orders.marginFlags(order) === 0
    ? orders.remaining(order)
    : state.marginAccounts.executableLots(order);
}

/** Runs the follow-ups of an execution at once, if there can be any. */
function follow(state: State, order: number): void {
  if (state.lists.size > 0 || state.marginAccounts.ended.length > 0) afterFill(state, order);
}

/** Executes lots of an order: its record, its settlement, its report. */
function fill(state: State, order: number, ticks: number, lots: number, isTaker: boolean): void {
  if (state.lists.size > 0) claimFunds(state, order);
  state.orders.execute(order, lots, state.now);
  if (isTaker) fillTaker(state, order, ticks, lots);
  else fillMaker(state, order, ticks, lots);
  state.listener.fill(order, state.tradeId, ticks, lots, isTaker);
}

/** Publishes the latest trade, if market data is published; the aggressor was of `side`. */
function publishTrade(
  state: State,
  instrument: number,
  ticks: number,
  lots: number,
  side: number,
): void {
  const { marketData } = state;
  if (marketData !== undefined)
    marketData.trade(instrument, state.tradeId, ticks, lots, side, state.now);
}
