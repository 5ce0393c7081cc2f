import {
  CANDLE,
  GAP,
  LAST,
  LEVEL,
  QUOTE,
  RESET,
  SELL as SELL_FLAG,
  TRADE,
  type EventColumns,
} from '../../model/events.ts';
import { OLD, type DepthFeed } from '../../model/depth-feed.ts';
import type { Book } from '../book/book.ts';
import type { Matching } from '../stages/match.ts';
import type { ExchangeListener } from '../state/listener.ts';
import type { OrderLists } from '../orders/lists.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { Remainders } from '../orders/remainders.ts';
import type { StopBook } from '../book/stop-book.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';

/**
 * So much of a candle's period may be over when an order comes that still meets its high and low:
 * an answer to the candle before comes by its latency late.
 */
export const CANDLE_GRACE = 0.01;

/** A time by which every order was there. */
const EVERYONE = Number.POSITIVE_INFINITY;

/** What rows of the market bring about in the lives of orders. */
interface MarketLife {
  /** Does what trades have brought about. */
  settle(): void;
  /** Lets those triggered orders go on that found too little before and were there at `till`. */
  goOn(instrument: number, till: number): void;
}

/** Whether a row is the last of its message, after which a book is whole. */
export const endsMessage = (columns: EventColumns, row: number): boolean => {
  const kind = columns.kind[row];
  return (kind !== LEVEL && kind !== RESET) || (columns.flags[row] & LAST) !== 0;
};

/**
 * Takes the rows of a recorded feed in: each changes what the tape shows and fills resting orders
 * by it. Where no order rests a row costs little more than its change of the depth.
 */
export class MarketRows {
  readonly #books: readonly Book[];
  readonly #tapes: readonly RecordedMarket[];
  readonly #recordedBooks: readonly DepthFeed[];
  readonly #sharesBooks: boolean;
  readonly #matching: Matching;
  readonly #triggers: StopBook;
  readonly #remainders: Remainders;
  readonly #lists: OrderLists;
  readonly #life: MarketLife;
  readonly #listener: Pick<ExchangeListener, 'candlePath'>;
  /** Instruments whose feed has trades; there a candle only repeats them. */
  readonly #hasTrades: Uint8Array;
  /** Start of the last candle, and how far two of them are apart at least; NaN before. */
  readonly #openedAt: Float64Array;
  readonly #apartUs: Float64Array;
  /** No later than the first time at which the close of a candle can no longer be taken. */
  closesEndAt = Number.POSITIVE_INFINITY;

  constructor(setup: {
    readonly books: readonly Book[];
    readonly tapes: readonly RecordedMarket[];
    readonly recordedBooks: readonly DepthFeed[];
    readonly sharesBooks: boolean;
    readonly matching: Matching;
    readonly triggers: StopBook;
    readonly remainders: Remainders;
    readonly lists: OrderLists;
    readonly life: MarketLife;
    readonly listener: Pick<ExchangeListener, 'candlePath'>;
  }) {
    this.#books = setup.books;
    this.#tapes = setup.tapes;
    this.#recordedBooks = setup.recordedBooks;
    this.#sharesBooks = setup.sharesBooks;
    this.#matching = setup.matching;
    this.#triggers = setup.triggers;
    this.#remainders = setup.remainders;
    this.#lists = setup.lists;
    this.#life = setup.life;
    this.#listener = setup.listener;
    this.#hasTrades = new Uint8Array(setup.books.length);
    this.#openedAt = new Float64Array(setup.books.length).fill(Number.NaN);
    this.#apartUs = new Float64Array(setup.books.length).fill(Number.NaN);
  }

  /** Takes one row of the market in. */
  apply(instrument: number, columns: EventColumns, row: number): void {
    const tape = this.#tapes[instrument];
    tape.isBlank = false;
    if (!this.#sharesBooks) this.#recordedBooks[instrument].apply(columns, row);
    this.#take(instrument, tape, columns, row);
    if (this.#remainders.count === 0 || !tape.hasBook || columns.kind[row] === GAP) return;
    // A book has come, and decides about those that went on without one.
    if (!endsMessage(columns, row)) return;
    this.#life.settle();
    this.#life.goOn(instrument, EVERYONE);
  }

  #take(instrument: number, tape: RecordedMarket, columns: EventColumns, row: number): void {
    switch (columns.kind[row]) {
      case LEVEL:
        this.#level(instrument, tape, columns, row);
        return;
      case TRADE:
        this.#trade(instrument, tape, columns, row);
        return;
      case QUOTE:
        this.#quote(instrument, tape, columns, row);
        return;
      case RESET:
        tape.reset(columns.sequence[row], this.#matching.now);
        if ((columns.flags[row] & LAST) !== 0) this.#close(instrument, tape, columns.sequence[row]);
        return;
      case GAP:
        tape.gap(this.#matching.now);
        return;
      case CANDLE:
        this.#candle(instrument, tape, columns, row);
        return;
    }
  }

  /** Lets go of the closes of candles whose next candle was due before `at`: they are old prices. */
  endCloses(at: number): void {
    let first = Number.POSITIVE_INFINITY;
    for (const tape of this.#tapes) {
      if (tape.printEndsAt < at) tape.print(0, 0);
      first = Math.min(first, tape.printEndsAt);
    }
    this.closesEndAt = first;
  }

  #level(instrument: number, tape: RecordedMarket, columns: EventColumns, row: number): void {
    const flags = columns.flags[row];
    const sequence = columns.sequence[row];
    const { before } = this.#recordedBooks[instrument];
    if (before !== OLD) {
      const side = flags & SELL_FLAG;
      const ticks = columns.price[row];
      tape.sides[side].changedAt(ticks, before, columns.size[row], this.#matching.now);
      const book = this.#books[instrument].sides[side];
      if (book.count > 0) this.#matching.recapAt(instrument, side, ticks);
    }
    if ((flags & LAST) !== 0) this.#close(instrument, tape, sequence);
  }

  /** A depth message is complete. */
  #close(instrument: number, tape: RecordedMarket, sequence: number): void {
    const [bids, asks] = tape.sides;
    const quoted = tape.quoted;
    const bidQuoteTicks = bids.quoteTicks;
    const askQuoteTicks = asks.quoteTicks;
    const complete = tape.close(sequence, this.#matching.now);
    if (!this.#rests(instrument)) return;
    if (complete) {
      this.#matching.recap(instrument, BUY, Number.NEGATIVE_INFINITY);
      this.#matching.recap(instrument, SELL, Number.POSITIVE_INFINITY);
    } else if (quoted && !tape.quoted) {
      // At better prices the quote showed nothing, and no queue grows by what the depth has there.
      this.#matching.recapAt(instrument, BUY, bidQuoteTicks);
      this.#matching.recapAt(instrument, SELL, askQuoteTicks);
    }
    // Without a book the tape shows a trade that is over, and nobody comes to meet an order with it.
    if (tape.hasBook) this.#matching.cross(instrument);
  }

  #quote(instrument: number, tape: RecordedMarket, columns: EventColumns, row: number): void {
    const bidTicks = columns.price[row];
    const bidLots = columns.size[row];
    const askTicks = columns.askPrice[row];
    const askLots = columns.askSize[row];
    const formerBidTicks = tape.sides[BUY].quoteTicks;
    const formerAskTicks = tape.sides[SELL].quoteTicks;
    const sequence = columns.sequence[row];
    const { now } = this.#matching;
    if (!tape.quote(bidTicks, bidLots, askTicks, askLots, sequence, now)) return;
    if (!this.#rests(instrument)) return;
    this.#matching.recap(instrument, BUY, bidLots > 0 ? bidTicks : Number.NEGATIVE_INFINITY);
    this.#matching.recap(instrument, SELL, askLots > 0 ? askTicks : Number.POSITIVE_INFINITY);
    this.#matching.recapAt(instrument, BUY, formerBidTicks);
    this.#matching.recapAt(instrument, SELL, formerAskTicks);
    this.#matching.cross(instrument);
  }

  #trade(instrument: number, tape: RecordedMarket, columns: EventColumns, row: number): void {
    const hit = (columns.flags[row] & SELL_FLAG) === 0 ? SELL : BUY;
    const ticks = columns.price[row];
    const size = columns.size[row];
    const rests = this.#rests(instrument);
    const before = this.#matching.filled;
    this.#hasTrades[instrument] = 1;
    if (tape.hasBook) {
      const { now } = this.#matching;
      const side = tape.sides[hit];
      const pending = rests ? side.pending(ticks, now) : 0;
      const counted = side.counted(ticks, size, now);
      if (rests) this.#matching.trade(instrument, hit, ticks, size, counted, pending);
      side.passed(ticks, size - counted - (this.#matching.filled - before), now);
    } else {
      let left = size;
      if (rests) {
        left = this.#matching.trade(instrument, hit, ticks, left, 0, 0);
        // Without a book nothing else tells that the market has gone through the other side's orders.
        left = this.#matching.sweep(instrument, 1 - hit, ticks, left);
      }
      tape.print(ticks, left);
    }
    this.#matching.printed(instrument, 1 - hit, ticks, size - (this.#matching.filled - before));
    if (this.#remainders.count > 0 && !tape.hasBook) this.#life.goOn(instrument, EVERYONE);
    this.#triggers.traded(instrument, ticks);
  }

  /**
   * A candle of a feed without a book: prices went from the open to the extreme that is against
   * its direction, then to the other one, then to the close. Only orders that they went through
   * are filled, not those that they touched, and all together for no more than the volume. An order
   * that came when the candle was under way is judged by the close alone: nobody knows whether the
   * extremes were before it.
   */
  #candle(instrument: number, tape: RecordedMarket, columns: EventColumns, row: number): void {
    if (tape.hasBook) return;
    const close = columns.price[row];
    const volume = columns.size[row];
    const isFollowed =
      this.#triggers.count > 0 || this.#lists.size > 0 || this.#remainders.count > 0;
    if (!isFollowed && !this.#rests(instrument)) {
      this.#offer(instrument, columns, row, volume);
      this.#remember(instrument, close, volume);
      this.#show(instrument, columns, row, volume);
      return;
    }
    const matching = this.#matching;
    const rising = close >= columns.open[row];
    const [first, second] = rising ? [BUY, SELL] : [SELL, BUY];
    const high = columns.askPrice[row];
    const low = columns.askSize[row];
    const way = rising ? [low, high, close] : [high, low, close];
    const openedAt = columns.stampedAt[row];
    const till = openedAt + CANDLE_GRACE * (matching.now - openedAt);
    let left = volume;
    if (isFollowed && volume > 0 && this.#hasTrades[instrument] === 0) {
      // Who comes on the way, by a trigger or a primary, was there when the candle opened.
      matching.comesAt = openedAt;
      left = this.#follow(instrument, tape, columns.open[row], way, first, volume, till);
      matching.comesAt = matching.now;
      left = matching.sweep(instrument, first, close, left);
      left = matching.sweep(instrument, second, close, left);
      left = this.#goOn(instrument, tape, close, left, EVERYONE);
      this.#offer(instrument, columns, row, left);
      this.#show(instrument, columns, row, left);
      this.#triggers.traded(instrument, close);
      return;
    }
    left = matching.sweepEarly(instrument, first, way[0], left, till);
    this.#listener.candlePath?.(instrument, way[0]);
    left = matching.sweepEarly(instrument, second, way[1], left, till);
    this.#listener.candlePath?.(instrument, way[1]);
    this.#listener.candlePath?.(instrument, close);
    left = matching.sweep(instrument, first, close, left);
    left = matching.sweep(instrument, second, close, left);
    this.#offer(instrument, columns, row, left);
    this.#remember(instrument, close, volume);
    this.#show(instrument, columns, row, left);
  }

  /**
   * Shows what is left of a candle at its close until the end of the next one, which is due then: a period
   * later. That is as long as the candle was, or where a replay is faster than its stamps, as far as the
   * starts of candles are apart at least.
   */
  #offer(instrument: number, columns: EventColumns, row: number, left: number): void {
    const { now } = this.#matching;
    const openedAt = columns.stampedAt[row];
    const apartUs = openedAt - this.#openedAt[instrument];
    this.#openedAt[instrument] = openedAt;
    if (apartUs > 0 && !(apartUs >= this.#apartUs[instrument])) this.#apartUs[instrument] = apartUs;
    const endsAt = now + Math.max(now - openedAt, this.#apartUs[instrument] || 0);
    this.#tapes[instrument].print(columns.price[row], left, endsAt);
    this.closesEndAt = Math.min(this.closesEndAt, endsAt);
  }

  /** Where candles are all there is, their close is the last price. */
  #remember(instrument: number, close: number, volume: number): void {
    if (volume > 0 && this.#hasTrades[instrument] === 0) this.#triggers.last[instrument] = close;
  }

  /**
   * What own orders left of a candle's volume, as trades at its four prices in their order, of equal
   * lots but for the last; of less than four lots the first ones get none.
   */
  #show(instrument: number, columns: EventColumns, row: number, left: number): void {
    if (!this.#matching.trades.arePublic || this.#hasTrades[instrument] === 1) return;
    const [open, close] = [columns.open[row], columns.price[row]];
    const [high, low] = [columns.askPrice[row], columns.askSize[row]];
    const prices = close >= open ? [open, low, high, close] : [open, high, low, close];
    const part = Math.floor(left / prices.length);
    let rest = left;
    prices.forEach((price, index) => {
      const after = prices.length - 1 - index;
      const lots = after === 0 ? rest : left < prices.length ? Number(rest > after) : part;
      rest -= lots;
      this.#matching.printed(instrument, close >= open ? BUY : SELL, price, lots);
    });
  }

  /**
   * The way of a candle where orders wait for a price or for another order: it passes every price
   * between its four, so an order is triggered at its stop price, or at the open when that is beyond
   * it. `side` is the one whose resting orders the first stretch of the way goes through. Gives what
   * is left of the volume.
   */
  #follow(
    instrument: number,
    tape: RecordedMarket,
    open: number,
    way: readonly number[],
    side: number,
    volume: number,
    till: number,
  ): number {
    let left = this.#goOn(instrument, tape, open, volume, till);
    left = this.#pass(instrument, tape, open, left, till);
    let price = open;
    let hit = side;
    for (const to of way) {
      for (;;) {
        const from = price;
        price = this.#triggers.next(instrument, from, to);
        left = this.#matching.sweepEarly(instrument, hit, price, left, till, true);
        const { haltedAt } = this.#matching;
        const isHalted = !Number.isNaN(haltedAt);
        if (isHalted) {
          // What the fill brings about was there when the way went on from its price.
          this.#life.settle();
          price = to < from ? Math.min(from, haltedAt) : Math.max(from, haltedAt);
        }
        this.#listener.candlePath?.(instrument, price);
        if (isHalted || price !== from) left = this.#pass(instrument, tape, price, left, till);
        if (!isHalted && price === to) break;
      }
      hit = 1 - hit;
    }
    return left;
  }

  /** A trade at a price on the way of a candle; gives what its takers left of the volume. */
  #pass(
    instrument: number,
    tape: RecordedMarket,
    price: number,
    lots: number,
    till: number,
  ): number {
    tape.print(price, lots);
    this.#triggers.tradedEarly(instrument, price, till);
    this.#life.settle();
    return untaken(tape, price, lots);
  }

  /** The same for those triggered orders that found too little before and were there at `till`. */
  #goOn(
    instrument: number,
    tape: RecordedMarket,
    price: number,
    lots: number,
    till: number,
  ): number {
    tape.print(price, lots);
    if (this.#remainders.count === 0) return lots;
    this.#life.goOn(instrument, till);
    return untaken(tape, price, lots);
  }

  #rests(instrument: number): boolean {
    const [bids, asks] = this.#books[instrument].sides;
    return bids.count > 0 || asks.count > 0;
  }
}

/** What takers left of the lots that were printed at a price. */
function untaken({ sides: [bids, asks] }: RecordedMarket, price: number, lots: number): number {
  return Math.max(0, lots - bids.taken(price) - asks.taken(price));
}
