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
import type { Matching } from './matching.ts';
import { BUY, SELL } from './side.ts';
import type { Tape } from './tape.ts';

/**
 * Takes the rows of a recorded feed in: each changes what the tape shows and fills resting orders
 * by it. Where no order rests a row costs little more than its change of the depth.
 */
export class MarketRows {
  readonly #books: readonly Book[];
  readonly #tapes: readonly Tape[];
  readonly #matching: Matching;

  constructor(books: readonly Book[], tapes: readonly Tape[], matching: Matching) {
    this.#books = books;
    this.#tapes = tapes;
    this.#matching = matching;
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

  #level(instrument: number, tape: Tape, columns: EventColumns, row: number): void {
    const flags = columns.flags[row];
    const sequence = columns.sequence[row];
    if (tape.isNew(sequence)) {
      const side = flags & SELL_FLAG;
      const ticks = columns.price[row];
      tape.sides[side].set(ticks, columns.size[row], this.#matching.now);
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

  #quote(instrument: number, tape: Tape, columns: EventColumns, row: number): void {
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

  #trade(instrument: number, tape: Tape, columns: EventColumns, row: number): void {
    const hit = (columns.flags[row] & SELL_FLAG) === 0 ? SELL : BUY;
    const ticks = columns.price[row];
    let left = columns.size[row];
    const rests = this.#rests(instrument);
    if (tape.hasBook) {
      const { now } = this.#matching;
      const side = tape.sides[hit];
      const pending = rests ? side.pending(ticks, now) : 0;
      const counted = side.counted(ticks, left, now);
      if (rests) this.#matching.trade(instrument, hit, ticks, left, counted, pending);
      return;
    }
    if (rests) {
      left = this.#matching.trade(instrument, hit, ticks, left, 0, 0);
      // Without a book nothing else tells that the market has gone through the other side's orders.
      left = this.#matching.sweep(instrument, 1 - hit, ticks, left);
    }
    tape.print(ticks, left);
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
    let left = columns.size[row];
    if (this.#rests(instrument)) {
      const rising = close >= columns.open[row];
      const [first, second] = rising ? [BUY, SELL] : [SELL, BUY];
      left = this.#matching.sweep(instrument, first, rising ? low : high, left);
      left = this.#matching.sweep(instrument, second, rising ? high : low, left);
    }
    tape.print(close, left);
  }

  #rests(instrument: number): boolean {
    const [bids, asks] = this.#books[instrument].sides;
    return bids.count > 0 || asks.count > 0;
  }
}
