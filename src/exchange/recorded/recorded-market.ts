import type { DepthFeed } from '../../model/depth-feed.ts';
import { BUY, SELL } from '../orders/side.ts';
import { RecordedSide } from './recorded-side.ts';

/**
 * What the recorded market of one instrument shows, kept by the order of its sequence numbers: a
 * message that is not newer than the depth changes nothing, and a quote lies over the depth until
 * a message comes that is as new. Sequence 0 means that the venue gives none; then the latest wins.
 *
 * The depth is the book of the feed, which takes a row before the recorded market does.
 */
export class RecordedMarket {
  declare readonly sides: readonly [RecordedSide, RecordedSide];
  /** The sequence of the last message that changed the depth. */
  #sequence = 0;
  #quoted = false;
  #quoteSequence = 0;
  /** True from a RESET to the end of its message. */
  #resetting = false;
  /** True once there was a snapshot or a quote; until then trades alone show what was available. */
  hasBook = false;
  /** True until the market has shown anything. */
  isBlank = true;
  /** True where the feed has trades; there a candle only repeats them. */
  hasTrades = false;
  /** Start of the last candle, and how far two of them are apart at least; NaN before. */
  candleOpenedAt = Number.NaN;
  candlesApartUs = Number.NaN;
  /** Until then what `print` shows can be had, that time included. */
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

  /** True while a quote lies over the depth. */
  get quoted(): boolean {
    return this.#quoted;
  }

  /** True when a quote or the end of a message counts. */
  #isNew(sequence: number): boolean {
    return sequence === 0 || sequence > this.#sequence;
  }

  /** The book was emptied; the levels of a snapshot follow. */
  reset(sequence: number, at: number): void {
    this.#openBook();
    this.#resetting = true;
    this.sides[BUY].hide();
    this.sides[SELL].hide();
    // A snapshot of lower numbers than before: the venue restarts its numbers, and the quote is out of date.
    if (sequence !== 0 && sequence < this.#sequence) this.#unquote(at);
    this.#sequence = 0;
  }

  /** Forgets what the market showed: something was missed. */
  gap(at: number): void {
    this.#resetting = false;
    this.sides[BUY].lose();
    this.sides[SELL].lose();
    this.#unquote(at);
  }

  /** Ends a depth message: the depth is whole again. Gives true when a snapshot was completed. */
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

  /** Takes a quote, size 0 where a side is empty; gives false when the depth or a quote is newer. */
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
   * Where there is no book: what a trade or a candle shows could be had at its price, either way, up
   * to a time.
   */
  print(ticks: number, lots: number, endsAt = Number.POSITIVE_INFINITY): void {
    this.#quoted = true;
    this.printEndsAt = endsAt;
    this.sides[BUY].print(ticks, lots);
    this.sides[SELL].print(ticks, lots);
  }

  /** From the first sign of a book on, prints no longer stand for one. Gives true at that sign. */
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
