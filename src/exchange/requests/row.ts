import { CANDLE_GRACE } from '../../model/candle.ts';
import { OLD } from '../../model/depth-feed.ts';
import {
  CANDLE,
  type EventColumns,
  FUNDING,
  GAP,
  INDEX,
  isMarket,
  LAST,
  LEVEL,
  MARK,
  QUOTE,
  RESET,
  SELL as SELL_FLAG,
  TRADE,
} from '../../model/events.ts';
import type { Micros } from '../../platform/time.ts';
import { examine, isIdle } from '../margin/margin-check.ts';
import { takeFunding } from '../margin/fundings.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';
import { resumeTriggered, runFollowUps } from '../stages/execute.ts';
import {
  matchCrossed,
  matchPrint,
  publishPrint,
  recapAt,
  recapSide,
  sweep,
  sweepEarly,
} from '../stages/match.ts';
import type { State } from '../state/state.ts';
import { advanceTo, emit } from './pipeline.ts';

/** A time at which every order was present. */
const EVERYONE = Number.POSITIVE_INFINITY;

/** True for the last row of a message, after which a book is complete. */
export const endsMessage = (columns: EventColumns, row: number): boolean => {
  const kind = columns.kind[row];
  return (kind !== LEVEL && kind !== RESET) || (columns.flags[row] & LAST) !== 0;
};

/**
 * Applies rows of a recorded feed: each updates the recorded market and fills resting orders.
 * Without resting orders a row costs little more than its change of the depth.
 */

export function takeRow(
  state: State,
  instrument: number,
  columns: EventColumns,
  row: number,
  at: Micros,
): void {
  advanceTo(state, at);
  if (isMarket(columns.kind[row])) takeMarketRow(state, instrument, columns, row);
  else takeContractRow(state, instrument, columns, row);
  if (state.followUps.length > 0) runFollowUps(state);
  if (!isIdle(state)) examine(state, state.prices.dependents[instrument]);
  if (state.ledger.dirty.count > 0 || !state.marginReports.isEmpty) emit(state);
  else if (state.marketData !== undefined && endsMessage(columns, row)) {
    state.marketData.publish(state.now);
  }
}

/** Applies one row of market data. */
function takeMarketRow(state: State, instrument: number, columns: EventColumns, row: number): void {
  const market = state.recorded[instrument];
  market.hasNoData = false;
  if (!state.sharesBooks) state.recordedBooks[instrument].apply(columns, row);
  takeKind(state, instrument, columns, row);
  if (state.remainders.count === 0 || !market.hasBook || columns.kind[row] === GAP) return;
  // The first book decides about the orders that were parked without one.
  if (!endsMessage(columns, row)) return;
  runFollowUps(state);
  resumeTriggered(state, instrument, EVERYONE);
}

function takeKind(state: State, instrument: number, columns: EventColumns, row: number): void {
  const market = state.recorded[instrument];
  switch (columns.kind[row]) {
    case LEVEL:
      takeLevel(state, instrument, columns, row);
      return;
    case TRADE:
      takeTrade(state, instrument, columns, row);
      return;
    case QUOTE:
      takeQuote(state, instrument, columns, row);
      return;
    case RESET:
      market.reset(columns.sequence[row], state.now);
      if ((columns.flags[row] & LAST) !== 0)
        endDepth(state, instrument, market, columns.sequence[row]);
      return;
    case GAP:
      market.gap(state.now);
      return;
    case CANDLE:
      takeCandle(state, instrument, columns, row);
      return;
  }
}

function takeLevel(state: State, instrument: number, columns: EventColumns, row: number): void {
  const market = state.recorded[instrument];
  const flags = columns.flags[row];
  const sequence = columns.sequence[row];
  const { before } = state.recordedBooks[instrument];
  if (before !== OLD) {
    const side = flags & SELL_FLAG;
    const ticks = columns.price[row];
    market.sides[side].changedAt(ticks, before, columns.size[row], state.now);
    const book = state.books[instrument].sides[side];
    if (book.count > 0) recapAt(state, instrument, side, ticks);
  }
  if ((flags & LAST) !== 0) endDepth(state, instrument, market, sequence);
}

/** Applies the end of a depth message. */
function endDepth(
  state: State,
  instrument: number,
  market: RecordedMarket,
  sequence: number,
): void {
  const [bids, asks] = market.sides;
  const quoted = market.quoted;
  const bidQuoteTicks = bids.quoteTicks;
  const askQuoteTicks = asks.quoteTicks;
  const complete = market.close(sequence, state.now);
  if (!hasResting(state, instrument)) return;
  if (complete) {
    recapSide(state, instrument, BUY, Number.NEGATIVE_INFINITY);
    recapSide(state, instrument, SELL, Number.POSITIVE_INFINITY);
  } else if (quoted && !market.quoted) {
    // At better prices the quote showed nothing, so no queue grows by what the depth has there.
    recapAt(state, instrument, BUY, bidQuoteTicks);
    recapAt(state, instrument, SELL, askQuoteTicks);
  }
  // Without a book the recorded market shows a past trade, which a new order cannot meet.
  if (market.hasBook) matchCrossed(state, instrument);
}

function takeQuote(state: State, instrument: number, columns: EventColumns, row: number): void {
  const market = state.recorded[instrument];
  const bidTicks = columns.price[row];
  const bidLots = columns.size[row];
  const askTicks = columns.askPrice[row];
  const askLots = columns.askSize[row];
  const previousBidTicks = market.sides[BUY].quoteTicks;
  const previousAskTicks = market.sides[SELL].quoteTicks;
  const sequence = columns.sequence[row];
  const { now } = state;
  if (!market.quote(bidTicks, bidLots, askTicks, askLots, sequence, now)) return;
  if (!hasResting(state, instrument)) return;
  recapSide(state, instrument, BUY, bidLots > 0 ? bidTicks : Number.NEGATIVE_INFINITY);
  recapSide(state, instrument, SELL, askLots > 0 ? askTicks : Number.POSITIVE_INFINITY);
  recapAt(state, instrument, BUY, previousBidTicks);
  recapAt(state, instrument, SELL, previousAskTicks);
  matchCrossed(state, instrument);
}

function takeTrade(state: State, instrument: number, columns: EventColumns, row: number): void {
  const market = state.recorded[instrument];
  const hit = (columns.flags[row] & SELL_FLAG) === 0 ? SELL : BUY;
  const ticks = columns.price[row];
  const size = columns.size[row];
  const rests = hasResting(state, instrument);
  const before = state.filledByMarket;
  market.hasTrades = true;
  if (market.hasBook) {
    const { now } = state;
    const side = market.sides[hit];
    const pending = rests ? side.pending(ticks, now) : 0;
    const counted = side.counted(ticks, size, now);
    if (rests) matchPrint(state, instrument, hit, ticks, size, counted, pending);
    side.passed(ticks, size - counted - (state.filledByMarket - before), now);
  } else {
    let left = size;
    if (rests) {
      left = matchPrint(state, instrument, hit, ticks, left, 0, 0);
      // Without a book nothing else shows that the market has passed the other side's orders.
      left = sweep(state, instrument, 1 - hit, ticks, left);
    }
    market.print(ticks, left);
  }
  publishPrint(state, instrument, 1 - hit, ticks, size - (state.filledByMarket - before));
  if (state.remainders.count > 0 && !market.hasBook) resumeTriggered(state, instrument, EVERYONE);
  state.stopBook.traded(instrument, ticks);
}

/**
 * Applies a candle of a feed without a book. Prices go from the open to the extreme against the
 * candle's direction, then to the other extreme, then to the close. Only orders that they pass are
 * filled, not those that they touch, and together for at most the volume. An order that came during
 * the candle is filled by the close only, as the extremes may have been before it.
 */
function takeCandle(state: State, instrument: number, columns: EventColumns, row: number): void {
  const market = state.recorded[instrument];
  if (market.hasBook) return;
  const close = columns.price[row];
  const volume = columns.size[row];
  const isFollowed = state.stopBook.count > 0 || state.lists.size > 0 || state.remainders.count > 0;
  if (!isFollowed && !hasResting(state, instrument)) {
    offerClose(state, market, columns, row, volume);
    rememberClose(state, instrument, close, volume);
    showCandle(state, instrument, columns, row, volume);
    return;
  }
  const rising = close >= columns.open[row];
  const [first, second] = rising ? [BUY, SELL] : [SELL, BUY];
  const high = columns.askPrice[row];
  const low = columns.askSize[row];
  const way = rising ? [low, high, close] : [high, low, close];
  const openedAt = columns.stampedAt[row];
  const till = openedAt + CANDLE_GRACE * (state.now - openedAt);
  let left = volume;
  if (isFollowed && volume > 0 && !market.hasTrades) {
    // Orders that arrive on the path, by a trigger or a primary, count as present since the open.
    state.presentSince = openedAt;
    left = followCandle(state, instrument, columns.open[row], way, first, volume, till);
    state.presentSince = state.now;
    left = sweep(state, instrument, first, close, left);
    left = sweep(state, instrument, second, close, left);
    left = resumeAt(state, instrument, close, left, EVERYONE);
    offerClose(state, market, columns, row, left);
    showCandle(state, instrument, columns, row, left);
    state.stopBook.traded(instrument, close);
    return;
  }
  left = sweepEarly(state, instrument, first, way[0], left, till);
  state.listener.candlePath?.(instrument, way[0]);
  left = sweepEarly(state, instrument, second, way[1], left, till);
  state.listener.candlePath?.(instrument, way[1]);
  state.listener.candlePath?.(instrument, close);
  left = sweep(state, instrument, first, close, left);
  left = sweep(state, instrument, second, close, left);
  offerClose(state, market, columns, row, left);
  rememberClose(state, instrument, close, volume);
  showCandle(state, instrument, columns, row, left);
}

/**
 * Offers the rest of a candle at its close until the end of the next one, which is due a period
 * later: the candle's length, or, if a replay is faster than its stamps, the least time between the
 * starts of candles.
 */
function offerClose(
  state: State,
  market: RecordedMarket,
  columns: EventColumns,
  row: number,
  left: number,
): void {
  const { now } = state;
  const openedAt = columns.stampedAt[row];
  const apartUs = openedAt - market.candleOpenedAt;
  market.candleOpenedAt = openedAt;
  if (apartUs > 0 && !(apartUs >= market.candlesApartUs)) market.candlesApartUs = apartUs;
  const endsAt = now + Math.max(now - openedAt, market.candlesApartUs || 0);
  market.print(columns.price[row], left, endsAt);
  state.closesEndAt = Math.min(state.closesEndAt, endsAt);
}

/** If the feed has only candles, their close is the last price. */
function rememberClose(state: State, instrument: number, close: number, volume: number): void {
  const market = state.recorded[instrument];
  if (volume > 0 && !market.hasTrades) state.stopBook.last[instrument] = close;
}

/**
 * Publishes the rest of a candle's volume as trades at its four prices in order, of equal lots but
 * for the last; with fewer than four lots the first prices get none.
 */
function showCandle(
  state: State,
  instrument: number,
  columns: EventColumns,
  row: number,
  left: number,
): void {
  const market = state.recorded[instrument];
  if (state.marketData === undefined || market.hasTrades) return;
  const [open, close] = [columns.open[row], columns.price[row]];
  const [high, low] = [columns.askPrice[row], columns.askSize[row]];
  const prices = close >= open ? [open, low, high, close] : [open, high, low, close];
  const part = Math.floor(left / prices.length);
  let rest = left;
  prices.forEach((price, index) => {
    const after = prices.length - 1 - index;
    const lots = after === 0 ? rest : left < prices.length ? Number(rest > after) : part;
    rest -= lots;
    publishPrint(state, instrument, close >= open ? BUY : SELL, price, lots);
  });
}

/**
 * Follows a candle's path if orders wait for a price or for another order: it passes every price
 * between its four, so an order is triggered at its stop price, or at the open if that is beyond
 * it. `side` is the one whose resting orders the first leg of the path fills. Returns the remaining
 * volume.
 */
function followCandle(
  state: State,
  instrument: number,
  open: number,
  way: readonly number[],
  side: number,
  volume: number,
  till: number,
): number {
  let left = resumeAt(state, instrument, open, volume, till);
  left = passPrice(state, instrument, open, left, till);
  let price = open;
  let hit = side;
  for (const to of way) {
    for (;;) {
      const from = price;
      price = state.stopBook.next(instrument, from, to);
      left = sweepEarly(state, instrument, hit, price, left, till, true);
      const { haltedAt } = state;
      const isHalted = !Number.isNaN(haltedAt);
      if (isHalted) {
        // Orders that the fill triggers were present when the path continued from its price.
        runFollowUps(state);
        price = to < from ? Math.min(from, haltedAt) : Math.max(from, haltedAt);
      }
      state.listener.candlePath?.(instrument, price);
      if (isHalted || price !== from) left = passPrice(state, instrument, price, left, till);
      if (!isHalted && price === to) break;
    }
    hit = 1 - hit;
  }
  return left;
}

/** Trades at a price on a candle's path; returns the volume that takers left. */
function passPrice(
  state: State,
  instrument: number,
  price: number,
  lots: number,
  till: number,
): number {
  const market = state.recorded[instrument];
  market.print(price, lots);
  state.stopBook.tradedEarly(instrument, price, till);
  runFollowUps(state);
  return untaken(market, price, lots);
}

/**
 * Resumes triggered orders that found too little before and were present at `till`; returns the
 * volume they left.
 */
function resumeAt(
  state: State,
  instrument: number,
  price: number,
  lots: number,
  till: number,
): number {
  const market = state.recorded[instrument];
  market.print(price, lots);
  if (state.remainders.count === 0) return lots;
  resumeTriggered(state, instrument, till);
  return untaken(market, price, lots);
}

function hasResting(state: State, instrument: number): boolean {
  const [bids, asks] = state.books[instrument].sides;
  return bids.count > 0 || asks.count > 0;
}

/** Lots printed at a price that takers left. */
function untaken({ sides: [bids, asks] }: RecordedMarket, price: number, lots: number): number {
  return Math.max(0, lots - bids.taken(price) - asks.taken(price));
}

/** Applies a venue's row about a contract; ignores it for other instruments. */
function takeContractRow(
  state: State,
  instrument: number,
  columns: EventColumns,
  row: number,
): void {
  const contract = state.contracts[instrument];
  if (contract === undefined) return;
  const [whole, rest] = [columns.price[row], columns.size[row]];
  switch (columns.kind[row]) {
    case MARK:
      state.prices.emitMark(instrument, whole, rest);
      return;
    case INDEX:
      state.prices.emitIndex(instrument, whole, rest);
      return;
    case FUNDING: {
      const [at, nextAt] = [columns.askPrice[row], columns.askSize[row]];
      takeFunding(state, contract, { rate: { whole, rest }, at, nextAt }, state.now);
    }
  }
}
