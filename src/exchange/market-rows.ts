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
} from '../model/events.ts';
import type { Book } from './book.ts';
import type { Lists } from './lists.ts';
import type { Matching } from './matching.ts';
import { BUY, SELL } from './side.ts';
import type { Tape } from './tape.ts';
import type { Triggers } from './triggers.ts';

/**
 * Takes the rows of a recorded feed in: each changes what the tape shows and fills resting orders
 * by it. Where no order rests a row costs little more than its change of the depth.
 */
export class MarketRows {
  readonly #books: readonly Book[];
  readonly #tapes: readonly Tape[];
  readonly #matching: Matching;
  readonly #triggers: Triggers;
  readonly #lists: Lists;
  readonly #settle: () => void;
  /** Instruments whose feed has trades; there a candle only repeats them. */
  readonly #hasTrades: Uint8Array;

  /** `settle` does what trades have brought about. */
  constructor(
    books: readonly Book[],
    tapes: readonly Tape[],
    matching: Matching,
    triggers: Triggers,
    lists: Lists,
    settle: () => void,
  ) {
    this.#books = books;
    this.#tapes = tapes;
    this.#matching = matching;
    this.#triggers = triggers;
    this.#lists = lists;
    this.#settle = settle;
    this.#hasTrades = new Uint8Array(books.length);
  }

  /** Takes one row in. */
  apply(instrument: number, columns: EventColumns, row: number): void {
    const tape = this.#tapes[instrument];
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
        tape.reset(columns.sequence[row]);
        if ((columns.flags[row] & LAST) !== 0) this.#close(instrument, tape, columns.sequence[row]);
        return;
      case GAP:
        tape.gap();
        return;
      case CANDLE:
        this.#candle(instrument, tape, columns, row);
        return;
    }
  }

  #level(instrument: number, tape: Tape, columns: EventColumns, row: number): void {
    const flags = columns.flags[row];
    const sequence = columns.sequence[row];
    if (tape.isNew(sequence)) {
      const side = flags & SELL_FLAG;
      const ticks = columns.price[row];
      tape.sides[side].set(ticks, columns.size[row]);
      const book = this.#books[instrument].sides[side];
      if (book.count > 0) this.#matching.recapAt(instrument, side, ticks);
    }
    if ((flags & LAST) !== 0) this.#close(instrument, tape, sequence);
  }

  /** A depth message is complete. */
  #close(instrument: number, tape: Tape, sequence: number): void {
    const [bids, asks] = tape.sides;
    const quoted = tape.quoted;
    const bidQuoteTicks = bids.quoteTicks;
    const askQuoteTicks = asks.quoteTicks;
    const complete = tape.close(sequence);
    if (!this.#rests(instrument)) return;
    if (complete) {
      this.#matching.recap(instrument, BUY, Number.NEGATIVE_INFINITY);
      this.#matching.recap(instrument, SELL, Number.POSITIVE_INFINITY);
    } else if (quoted && !tape.quoted) {
      // At better prices the quote showed nothing, and no queue grows by what the depth has there.
      this.#matching.recapAt(instrument, BUY, bidQuoteTicks);
      this.#matching.recapAt(instrument, SELL, askQuoteTicks);
    }
    this.#matching.cross(instrument);
  }

  #quote(instrument: number, tape: Tape, columns: EventColumns, row: number): void {
    const bidTicks = columns.price[row];
    const bidLots = columns.size[row];
    const askTicks = columns.askPrice[row];
    const askLots = columns.askSize[row];
    const formerBidTicks = tape.sides[BUY].quoteTicks;
    const formerAskTicks = tape.sides[SELL].quoteTicks;
    if (!tape.quote(bidTicks, bidLots, askTicks, askLots, columns.sequence[row])) return;
    if (!this.#rests(instrument)) return;
    this.#matching.recap(instrument, BUY, bidLots > 0 ? bidTicks : Number.NEGATIVE_INFINITY);
    this.#matching.recap(instrument, SELL, askLots > 0 ? askTicks : Number.POSITIVE_INFINITY);
    this.#matching.recapAt(instrument, BUY, formerBidTicks);
    this.#matching.recapAt(instrument, SELL, formerAskTicks);
    this.#matching.cross(instrument);
  }

  #trade(instrument: number, tape: Tape, columns: EventColumns, row: number): void {
    const hit = (columns.flags[row] & SELL_FLAG) === 0 ? SELL : BUY;
    const ticks = columns.price[row];
    let left = columns.size[row];
    this.#hasTrades[instrument] = 1;
    if (this.#rests(instrument)) {
      left = this.#matching.print(instrument, hit, ticks, left, true);
      // Without a book nothing else tells that the market has gone through the other side's orders.
      if (!tape.hasBook) left = this.#matching.print(instrument, 1 - hit, ticks, left, false);
    }
    if (!tape.hasBook) tape.print(ticks, left);
    this.#triggers.traded(instrument, ticks);
  }

  /**
   * A candle of a feed without a book: prices went from the open to the extreme that is against
   * its direction, then to the other one, then to the close. Only orders that they went through
   * are filled, not those that they touched, and all together for no more than the volume.
   */
  #candle(instrument: number, tape: Tape, columns: EventColumns, row: number): void {
    if (tape.hasBook) return;
    const close = columns.price[row];
    const high = columns.askPrice[row];
    const low = columns.askSize[row];
    const volume = columns.size[row];
    const rising = close >= columns.open[row];
    const [first, second] = rising ? [low, high] : [high, low];
    const isFollowed = this.#triggers.count > 0 || this.#lists.size > 0;
    if (isFollowed && volume > 0 && this.#hasTrades[instrument] === 0) {
      const way = [first, second, close];
      this.#candleTrades(instrument, tape, columns.open[row], way, rising ? BUY : SELL, volume);
      return;
    }
    let left = volume;
    if (this.#rests(instrument)) {
      left = this.#matching.print(instrument, rising ? BUY : SELL, first, left, false);
      left = this.#matching.print(instrument, rising ? SELL : BUY, second, left, false);
    }
    tape.print(close, left);
  }

  /**
   * The way of a candle where orders wait for a price or for another order: it passes every price between its four, so
   * an order is triggered at its stop price, or at the open when that is beyond it. `side` is the
   * one whose resting orders the first stretch of the way goes through.
   */
  #candleTrades(
    instrument: number,
    tape: Tape,
    open: number,
    way: readonly number[],
    side: number,
    volume: number,
  ): void {
    let left = this.#candleTrade(instrument, tape, open, volume);
    let price = open;
    let hit = side;
    for (const to of way) {
      do {
        const from = price;
        price = this.#triggers.next(instrument, from, to);
        left = this.#matching.print(instrument, hit, price, left, false);
        if (price !== from) left = this.#candleTrade(instrument, tape, price, left);
      } while (price !== to);
      hit = 1 - hit;
    }
    tape.print(price, left);
  }

  /** A trade at a price on the way of a candle; gives what its takers left of the volume. */
  #candleTrade(instrument: number, tape: Tape, price: number, lots: number): number {
    tape.print(price, lots);
    this.#triggers.traded(instrument, price);
    this.#settle();
    const [bids, asks] = tape.sides;
    return Math.max(0, lots - bids.taken(price) - asks.taken(price));
  }

  #rests(instrument: number): boolean {
    const [bids, asks] = this.#books[instrument].sides;
    return bids.count > 0 || asks.count > 0;
  }
}
