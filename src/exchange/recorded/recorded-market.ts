import type { DepthFeed } from '../../model/depth-feed.ts';
import { BUY, SELL } from '../orders/side.ts';
import { RecordedSide } from './recorded-side.ts';

/**
 * What the recorded market of one instrument shows, in the order of its sequence numbers. A message
 * that is not newer than the depth changes nothing. A quote overlays the depth until an equally new
 * message comes. Sequence 0 means that the venue sends none; then the latest wins.
 *
 * The depth is the book of the feed, which applies a row before the recorded market does.
 */
export class RecordedMarket {
  declare readonly sides: readonly [RecordedSide, RecordedSide];
  /** Sequence number of the last message that changed the depth. */
  #sequence = 0;
  #quoted = false;
  #quoteSequence = 0;
  /** True from a RESET to the end of its message. */
  #resetting = false;
  /** True once there was a snapshot or a quote; until then only trades show available lots. */
  hasBook = false;
  /** True until the first market data. */
  hasNoData = true;
  /** True if the feed has trades; then a candle only repeats them. */
  hasTrades = false;
  /** Start of the last candle, and the least time between two starts; NaN before. */
  candleOpenedAt = Number.NaN;
  candlesApartUs = Number.NaN;
  /** Lots of the last print are available up to this time, inclusive. */
  printEndsAt = Number.POSITIVE_INFINITY;

  constructor(book: DepthFeed) {
    const { bids, asks } = book.depth;
    this.sides = [new RecordedSide(BUY, bids), new RecordedSide(SELL, asks)];
    book.resets = () => {
      if (!this.hasBook) return;
      this.sides[BUY].remember();
      this.sides[SELL].remember();
    };
  }

  /** True while a quote overlays the depth. */
  get quoted(): boolean {
    return this.#quoted;
  }

  /** True if a quote or the end of a message applies. */
  #isNew(sequence: number): boolean {
    return sequence === 0 || sequence > this.#sequence;
  }

  /** Empties the book; the levels of a snapshot follow. */
  reset(sequence: number, at: number): void {
    this.#openBook();
    this.#resetting = true;
    this.sides[BUY].hide();
    this.sides[SELL].hide();
    // A snapshot with a lower number: the venue restarts its numbers, and the quote is out of date.
    if (sequence !== 0 && sequence < this.#sequence) this.#unquote(at);
    this.#sequence = 0;
  }

  /** Forgets the market after a gap in the data. */
  gap(at: number): void {
    this.#resetting = false;
    this.sides[BUY].lose();
    this.sides[SELL].lose();
    this.#unquote(at);
  }

  /**
   * Ends a depth message, after which the depth is complete. Returns true if it completed a
   * snapshot.
   */
  close(sequence: number, at: number): boolean {
    if (sequence > this.#sequence) this.#sequence = sequence;
    const complete = this.#resetting;
    if (this.#quoted && (sequence === 0 || sequence >= this.#quoteSequence)) this.#unquote(at);
    if (complete) {
      this.#resetting = false;
      this.sides[BUY].reveal(at);
      this.sides[SELL].reveal(at);
    }
    return complete;
  }

  /** Applies a quote, size 0 if a side is empty; returns false if the depth or a quote is newer. */
  quote(
    bidTicks: number,
    bidLots: number,
    askTicks: number,
    askLots: number,
    sequence: number,
    at: number,
  ): boolean {
    if (!this.#isNew(sequence) || (sequence !== 0 && sequence < this.#quoteSequence)) return false;
    const first = this.#openBook();
    this.#quoteSequence = sequence;
    this.#quoted = true;
    this.sides[BUY].quote(bidTicks, bidLots, at, first);
    this.sides[SELL].quote(askTicks, askLots, at, first);
    return true;
  }

  /**
   * Without a book: offers the lots of a trade or a candle at its price, on both sides, up to a
   * time.
   */
  print(ticks: number, lots: number, endsAt = Number.POSITIVE_INFINITY): void {
    this.#quoted = true;
    this.printEndsAt = endsAt;
    this.sides[BUY].print(ticks, lots);
    this.sides[SELL].print(ticks, lots);
  }

  /**
   * Stops taking prints for available lots at the first sign of a book. Returns true at that sign.
   */
  #openBook(): boolean {
    if (this.hasBook) return false;
    this.hasBook = true;
    this.printEndsAt = Number.POSITIVE_INFINITY;
    this.#quoted = false;
    this.sides[BUY].forgetPrint();
    this.sides[SELL].forgetPrint();
    return true;
  }

  #unquote(at: number): void {
    this.#quoted = false;
    this.#quoteSequence = 0;
    this.sides[BUY].unquote(at);
    this.sides[SELL].unquote(at);
  }
}
