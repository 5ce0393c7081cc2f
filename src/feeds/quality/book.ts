import type { DepthFeed } from '../../model/depth-feed.ts';
import { GAP, LAST, LEVEL, RESET, type EventColumns } from '../../model/events.ts';
import type { QualityIssues } from './findings.ts';

/** The book that the rows are taken into. */
export type BookOfFeed = Pick<DepthFeed, 'depth' | 'isFresh'>;

/** Watches levels, resets, gaps and quotes beside the book that they are taken into. */
export class BookCheck {
  readonly #findings: QualityIssues;
  readonly #feed: BookOfFeed;
  /** True once a row of the present message has changed the book. */
  #changed = false;
  /** Where the present stale stretch began; -1 when there is none. */
  #staleRow = -1;
  #staleAt = 0;
  #lastAt = 0;
  /** Bid and ask of the last quote that had both; NaN before the first, and after a gap. */
  #bidTicks = Number.NaN;
  #askTicks = Number.NaN;

  constructor(findings: QualityIssues, feed: BookOfFeed) {
    this.#findings = findings;
    this.#feed = feed;
  }

  /** A row of a LEVEL, RESET or GAP that the book has not taken in yet. */
  before(columns: EventColumns, row: number): void {
    const kind = columns.kind[row];
    if (kind === LEVEL) this.#level(columns, row);
    else if (kind === RESET) this.#changed = true;
    else if (kind === GAP) this.#gap(columns.sequence[row]);
  }

  #gap(sequence: number): void {
    this.#bidTicks = Number.NaN;
    this.#askTicks = Number.NaN;
    this.#findings.note('gap', () => `expected ${sequence}`);
  }

  /** The same row, when the book has taken it in. */
  after(columns: EventColumns, row: number): void {
    this.#lastAt = this.#findings.at;
    this.#staleness();
    if ((columns.flags[row] & LAST) === 0) return;
    if (this.#changed && !this.#feed.depth.stale) this.#spread();
    this.#changed = false;
  }

  quote(columns: EventColumns, row: number): void {
    const bid = columns.price[row];
    const ask = columns.askPrice[row];
    // Both sides are there, and apart: nothing else is looked at.
    if (columns.size[row] > 0 && columns.askSize[row] > 0 && bid > 0 && bid < ask) {
      this.#bidTicks = bid;
      this.#askTicks = ask;
      return;
    }
    this.#oddQuote(columns, row);
  }

  #oddQuote(columns: EventColumns, row: number): void {
    const [bid, bidSize] = [columns.price[row], columns.size[row]];
    const [ask, askSize] = [columns.askPrice[row], columns.askSize[row]];
    if (bidSize < 0 || askSize < 0) {
      this.#findings.note('bad-size', () => `a quote of ${bidSize} and ${askSize} lots`);
    }
    // A side of size zero is empty; its price says nothing.
    if ((bidSize !== 0 && bid <= 0) || (askSize !== 0 && ask <= 0)) {
      this.#findings.note('bad-price', () => `a quote of ${bid} and ${ask} ticks`);
      return;
    }
    if (bidSize === 0 || askSize === 0 || bid < ask) return;
    const name = bid === ask ? 'locked-quote' : 'crossed-quote';
    this.#findings.note(name, () => `bid ${bid}, ask ${ask} ticks`);
  }

  /** The middle of the last quote, or else of a whole book; NaN if neither is known. */
  get middleTicks(): number {
    if (!Number.isNaN(this.#bidTicks)) return (this.#bidTicks + this.#askTicks) / 2;
    const { bids, asks, stale } = this.#feed.depth;
    return stale ? Number.NaN : (bids.ticksAt(0) + asks.ticksAt(0)) / 2;
  }

  /** The recording is over: so is a stale stretch. */
  end(): void {
    if (this.#staleRow >= 0) this.#endStale('to the end');
  }

  #level(columns: EventColumns, row: number): void {
    if (columns.price[row] <= 0 || columns.size[row] < 0) this.#badLevel(columns, row);
    const sequence = columns.sequence[row];
    if (this.#feed.isFresh(sequence)) this.#changed = true;
    else this.#oldLevel(sequence);
  }

  // Functions of their own: one that makes a closure for a note is slower for every row.

  #badLevel(columns: EventColumns, row: number): void {
    const price = columns.price[row];
    const size = columns.size[row];
    if (price <= 0) this.#findings.note('bad-price', () => `a level at ${price} ticks`);
    if (size < 0) this.#findings.note('bad-size', () => `a level of ${size} lots`);
  }

  #oldLevel(sequence: number): void {
    const known = this.#feed.depth.sequence;
    this.#findings.note('old-level', () => `sequence ${sequence}, the book is at ${known}`);
  }

  #staleness(): void {
    const { stale } = this.#feed.depth;
    if (stale && this.#staleRow < 0) {
      this.#staleRow = this.#findings.row;
      this.#staleAt = this.#findings.at;
    } else if (!stale && this.#staleRow >= 0) this.#endStale('to the next snapshot');
  }

  #endStale(where: string): void {
    const us = Math.max(0, this.#lastAt - this.#staleAt);
    const detail = (): string => `${us} µs, ${where}`;
    this.#findings.noteAt('stale', this.#staleRow, this.#staleAt, detail, us);
    this.#staleRow = -1;
  }

  #spread(): void {
    const { bids, asks } = this.#feed.depth;
    const bid = bids.ticksAt(0);
    const ask = asks.ticksAt(0);
    // NaN if a side is empty: then it is none of both.
    if (bid >= ask) this.#crossed(bid, ask);
  }

  #crossed(bid: number, ask: number): void {
    if (bid > ask) this.#findings.note('crossed-book', () => `bid ${bid}, ask ${ask} ticks`);
    else this.#findings.note('locked-book', () => `bid and ask ${bid} ticks`);
  }
}
