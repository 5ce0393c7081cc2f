import { product } from '../../model/units.ts';
import type { BookSide } from '../book/book.ts';
import type { OrderList } from '../orders/lists.ts';
import { NONE } from '../orders/orders.ts';
import { BUY, SELL, signOf } from '../orders/side.ts';
import { REDUCE_ONLY } from '../positions/flags.ts';
import type { RecordedSide } from '../recorded/recorded-side.ts';
import type { State } from '../state/state.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/**
 * Measures for an order of `side` and so many lots; `ticks` is its limit, 0 for none. Where it is
 * a leg of a set, the other legs are not counted, and orders of its own account as it may meet
 * them.
 */
export function estimateFill(
  state: State,
  account: number,
  instrument: number,
  side: number,
  ticks: number,
  lots: number,
  set?: OrderList,
): void {
  // To clear an empty set makes a new table for it.
  if (state.estimate.spent.size > 0) state.estimate.spent.clear();
  if (state.estimate.closed.size > 0) state.estimate.closed.clear();
  if (set !== undefined) state.estimate.spent.add(set);
  estimateNext(state, account, instrument, side, ticks, lots);
}

/** The same for an order that executes after those measured before, on another instrument. */
export function estimateNext(
  state: State,
  account: number,
  instrument: number,
  side: number,
  ticks: number,
  lots: number,
): void {
  const against = side === BUY ? SELL : BUY;
  const book = state.books[instrument].sides[against];
  const market = state.recorded[instrument].sides[against];
  const reach = ticks === 0 ? -Number.MAX_VALUE : signOf(against) * ticks;
  const prevents = state.selfMatch.mode(account) !== 'none';
  state.estimate.remaining = lots;
  state.estimate.lots = 0;
  state.estimate.value = 0;
  let level = book.best();
  const exclusive =
    state.lists.doubled > 0 || state.estimate.spent.size > 0 || state.marginAccounts.reduces;
  market.start();
  while (state.estimate.remaining > 0) {
    const key = level === NONE ? NO_KEY : book.key(level);
    const best = Math.max(key, market.key);
    if (best < reach) return;
    const price = book.sign * best;
    if (key < market.key) {
      countLots(state, price, market.open);
      market.pass();
    } else {
      if (prevents)
        countQueue(state, account, book, level, key === market.key ? market : undefined);
      else if (exclusive)
        countLots(state, price, openLotsOf(state, book.head(level), state.estimate.remaining));
      else countLots(state, price, book.lots(level));
      level = book.below(key);
    }
  }
}

/** Counts what could be had at a price. */
function countLots(state: State, ticks: number, open: number): void {
  const part = Math.min(state.estimate.remaining, open);
  state.estimate.remaining -= part;
  state.estimate.lots += part;
  state.estimate.value = sum(state.estimate.value, product(ticks, part));
}

/**
 * Counts the queue of a price order by order, the lots of the recorded market among them, where orders of the
 * same account do not trade with each other: an own order ends what can be had, or is passed, or
 * takes its lots off.
 */
function countQueue(
  state: State,
  account: number,
  book: BookSide,
  level: number,
  market: RecordedSide | undefined,
): void {
  const { orders } = state;
  const ticks = book.sign * book.key(level);
  let passed = 0;
  for (
    let order = book.head(level);
    order !== NONE && state.estimate.remaining > 0;
    order = orders.next(order)
  ) {
    if (market !== undefined) {
      const ahead = Math.min(book.ahead(order), market.open) - passed;
      if (ahead > 0) countLots(state, ticks, ahead);
      if (ahead > 0) passed += ahead;
    }
    if (state.estimate.remaining === 0) break;
    if (orders.account(order) === account) passOwn(state, order);
    else countLots(state, ticks, openLotsIn(state, order));
  }
  if (market === undefined) return;
  countLots(state, ticks, market.open - passed);
  market.pass();
}

/** What an own order in the way does to what is left. */
function passOwn(state: State, order: number): void {
  const mode = state.selfMatch.mode(state.orders.account(order));
  if (mode === 'expireMaker') return;
  const taken = mode === 'decrement' ? state.orders.remaining(order) : state.estimate.remaining;
  state.estimate.remaining = Math.max(0, state.estimate.remaining - taken);
}

/** Lots of a queue of which an order could have so many, one leg of each set counted. */
function openLotsOf(state: State, head: number, most: number): number {
  const { orders } = state;
  let open = 0;
  for (let order = head; order !== NONE && open < most; order = orders.next(order)) {
    open += openLotsIn(state, order);
  }
  return open;
}

/** Lots of a resting order that can be had: of legs that exclude each other of the first alone. */
function openLotsIn(state: State, order: number): number {
  const set = state.lists.ofLeg(order);
  if (set !== undefined && state.estimate.spent.has(set)) return 0;
  const room = openLots(state, order);
  // A leg that has nothing to reduce any more ends, and the others of its set stay.
  if (set !== undefined && room > 0) state.estimate.spent.add(set);
  return room;
}

/**
 * Lots of a resting order that can be had. What the orders before it close of its position is not
 * there for it any more where it only reduces that, whether those only reduce it too or not.
 */
function openLots(state: State, order: number): number {
  const { orders } = state;
  const left = orders.remaining(order);
  if (orders.margin(order) === 0 || !state.marginAccounts.reduces) return left;
  const position = state.marginAccounts.positionOf(order);
  const only = (orders.margin(order) & REDUCE_ONLY) !== 0;
  if (position === undefined) return only ? 0 : left;
  const closed = state.estimate.closed.get(position) ?? 0;
  const room = only
    ? Math.max(0, Math.min(state.marginAccounts.room(order), position.size - closed))
    : left;
  if (position.lots > 0 === (orders.side(order) === SELL)) {
    state.estimate.closed.set(position, closed + room);
  }
  return room;
}

/** True when something stands in the way of an order that must not take. */
export function wouldTake(state: State, instrument: number, side: number, ticks: number): boolean {
  const against = side === BUY ? SELL : BUY;
  const book = state.books[instrument].sides[against];
  const level = book.best();
  if (level !== NONE && book.key(level) >= book.sign * ticks) return true;
  return state.recorded[instrument].sides[against].reaches(ticks);
}

function sum(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === 'number' && typeof b === 'number') {
    const value = a + b;
    if (Number.isSafeInteger(value)) return value;
  }
  return BigInt(a) + BigInt(b);
}
