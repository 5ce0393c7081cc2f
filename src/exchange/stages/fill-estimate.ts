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
 * Estimates the fill of an order of `side` with `lots` lots; `ticks` is its limit, 0 for none. For
 * a leg of a set the other legs do not count; orders of its own account count as self-trade
 * prevention allows.
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
  // Clearing an empty set would allocate a new table.
  if (state.estimate.spent.size > 0) state.estimate.spent.clear();
  if (state.estimate.closed.size > 0) state.estimate.closed.clear();
  if (set !== undefined) state.estimate.spent.add(set);
  estimateNext(state, account, instrument, side, ticks, lots);
}

/**
 * Same as `estimateFill` for an order that executes after those estimated before, on another
 * instrument.
 */
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

/** Counts the available lots at a price. */
function countLots(state: State, ticks: number, open: number): void {
  const part = Math.min(state.estimate.remaining, open);
  state.estimate.remaining -= part;
  state.estimate.lots += part;
  state.estimate.value = sum(state.estimate.value, product(ticks, part));
}

/**
 * Counts the queue of a price order by order, with the recorded lots, if orders of one account do
 * not trade with each other: an own order ends the fill, is skipped, or reduces it.
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

/** Applies an own order in the queue to the remaining lots. */
function passOwn(state: State, order: number): void {
  const mode = state.selfMatch.mode(state.orders.account(order));
  if (mode === 'expireMaker') return;
  const taken = mode === 'decrement' ? state.orders.remaining(order) : state.estimate.remaining;
  state.estimate.remaining = Math.max(0, state.estimate.remaining - taken);
}

/** Lots of a queue that an order can take, up to `most`, with one leg of each set. */
function openLotsOf(state: State, head: number, most: number): number {
  const { orders } = state;
  let open = 0;
  for (let order = head; order !== NONE && open < most; order = orders.next(order)) {
    open += openLotsIn(state, order);
  }
  return open;
}

/** Available lots of a resting order; of legs that exclude each other only the first counts. */
function openLotsIn(state: State, order: number): number {
  const set = state.lists.ofLeg(order);
  if (set !== undefined && state.estimate.spent.has(set)) return 0;
  const room = openLots(state, order);
  // A leg with nothing left to reduce ends, and the other legs of its set stay.
  if (set !== undefined && room > 0) state.estimate.spent.add(set);
  return room;
}

/**
 * Available lots of a resting order. For a reduce-only order, less what earlier orders close of its
 * position.
 */
function openLots(state: State, order: number): number {
  const { orders } = state;
  const left = orders.remaining(order);
  if (orders.marginFlags(order) === 0 || !state.marginAccounts.reduces) return left;
  const position = state.marginAccounts.positionOf(order);
  const only = (orders.marginFlags(order) & REDUCE_ONLY) !== 0;
  if (position === undefined) return only ? 0 : left;
  const closed = state.estimate.closed.get(position) ?? 0;
  const room = only
    ? Math.max(0, Math.min(state.marginAccounts.executableLots(order), position.size - closed))
    : left;
  if (position.lots > 0 === (orders.side(order) === SELL)) {
    state.estimate.closed.set(position, closed + room);
  }
  return room;
}

/** True if a post-only order would trade. */
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
