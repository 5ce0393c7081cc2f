import type { Exchange } from '../../exchange/exchange.ts';
import { merge, type Segment } from '../../feeds/merge.ts';
import type { Recording } from '../../feeds/reader.ts';
import { CANDLE, FUNDING, GAP, LAST, RESET } from '../../model/events.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { RecordedRows } from './rows.ts';
import type { MarketSource } from './source.ts';

/** How recordings are replayed. */
export interface VenueReplayOptions {
  /** How much faster than it was recorded; `max` is as fast as the venue can. */
  readonly speed: number | 'max';
  /** After the last row: the first one again, or nothing. */
  readonly atEnd: 'loop' | 'stop';
}

/** From the last row of a replay to the first one of the next, at the speed of the recording. */
const BETWEEN_US = US_PER_SECOND;

/**
 * Recordings replayed together, on one clock: the first recorded row comes when the venue opens. At their
 * end, their levels leave the books.
 */
export class VenueReplay implements MarketSource {
  readonly symbols: readonly string[];
  nextAt: number;
  readonly #recordings: readonly Recording[];
  readonly #indices: readonly number[];
  readonly #options: VenueReplayOptions;
  readonly #rows = new RecordedRows();
  #segments: Generator<Segment, void, undefined>;
  #segment: Segment | undefined;
  #row = 0;
  /** Latest receive time of the rows so far; a row whose time runs back counts as received then. */
  #receivedAt = Number.NEGATIVE_INFINITY;
  /** Recorded time and time of the player that fall together. */
  #recordedAt = 0;
  #startedAt: number;

  /** `indices` are those of the recorded symbols among the instruments, in the order of the recordings. */
  constructor(
    recordings: readonly Recording[],
    indices: readonly number[],
    startAt: Micros,
    options: VenueReplayOptions,
  ) {
    this.#recordings = recordings;
    this.#indices = indices;
    this.#options = options;
    this.symbols = recordings.map(({ meta }) => meta.instrument.symbol);
    this.#segments = merge(recordings);
    this.#startedAt = startAt;
    this.nextAt = startAt;
    this.#begin();
  }

  play(exchange: Exchange, at: Micros, now: Micros): number {
    const until = this.#receivedAt;
    let count = 0;
    while (this.#segment !== undefined && this.#receivedAt <= until) {
      count += this.#playRow(exchange, this.#segment, at);
      this.#advance();
    }
    if (this.#segment === undefined) this.#end(exchange, at, now);
    else this.nextAt = this.#options.speed === 'max' ? now : this.#due(this.#receivedAt);
    return count;
  }

  close(): void {
    this.#segments.return();
    this.#segment = undefined;
    this.nextAt = Number.POSITIVE_INFINITY;
    for (const recording of this.#recordings) recording.close();
  }

  /** Goes to the first row, which is due when this pass started. */
  #begin(): void {
    this.#receivedAt = Number.NEGATIVE_INFINITY;
    this.#row = 0;
    this.#read();
    this.#recordedAt = this.#receivedAt;
    // Nothing that anybody could wait for.
    if (this.#segment === undefined) this.nextAt = Number.POSITIVE_INFINITY;
  }

  #advance(): void {
    this.#row += 1;
    if (this.#segment !== undefined && this.#row < this.#segment.end) {
      this.#receivedAt = Math.max(this.#receivedAt, this.#segment.columns.receivedAt[this.#row]);
    } else this.#read();
  }

  #read(): void {
    const next = this.#segments.next();
    this.#segment = next.done === true ? undefined : next.value;
    if (this.#segment === undefined) return;
    this.#row = this.#segment.start;
    this.#receivedAt = Math.max(this.#receivedAt, this.#segment.columns.receivedAt[this.#row]);
  }

  /** The player's time for a recorded one. */
  #due(recordedAt: number): number {
    const { speed } = this.#options;
    if (speed === 'max') return this.#startedAt;
    return this.#startedAt + Math.round((recordedAt - this.#recordedAt) / speed);
  }

  #playRow(exchange: Exchange, { columns, source }: Segment, at: Micros): number {
    const row = this.#row;
    const kind = columns.kind[row];
    // A candle judges orders by when it opened, which is a time of the venue too.
    const stampedAt = kind === CANDLE ? this.#opened(columns.stampedAt[row], at) : at;
    this.#rows.row(
      at,
      stampedAt,
      kind,
      columns.flags[row],
      columns.sequence[row],
      columns.price[row],
      columns.size[row],
      kind === FUNDING ? this.#fundedAt(columns.askPrice[row]) : columns.askPrice[row],
      kind === FUNDING ? this.#fundedAt(columns.askSize[row]) : columns.askSize[row],
      columns.open[row],
    );
    return this.#rows.play(exchange, this.#indices[source], at);
  }

  /** The venue's time for that of a funding; at unlimited speed there is none, and 0 says so. */
  #fundedAt(recordedAt: number): number {
    return recordedAt === 0 || this.#options.speed === 'max' ? 0 : this.#due(recordedAt);
  }

  #opened(stampedAt: number, at: Micros): number {
    const { speed } = this.#options;
    return speed === 'max' ? at : at - Math.round((this.#receivedAt - stampedAt) / speed);
  }

  #end(exchange: Exchange, at: Micros, now: Micros): void {
    const { atEnd, speed } = this.#options;
    for (const instrument of this.#indices) this.#clear(exchange, instrument, at);
    if (atEnd === 'stop') {
      this.nextAt = Number.POSITIVE_INFINITY;
      return;
    }
    this.#startedAt =
      Math.max(this.nextAt, now) + Math.round(speed === 'max' ? 1 : BETWEEN_US / speed);
    this.nextAt = this.#startedAt;
    this.#segments = merge(this.#recordings);
    this.#begin();
  }

  /**
   * Removes a market's levels and sequence numbers. A recording without a book gets none by this: its
   * trades and candles alone show the available liquidity.
   */
  #clear(exchange: Exchange, instrument: number, at: Micros): void {
    if (exchange.recorded[instrument].hasBook) this.#rows.row(at, at, RESET, 0, 0, 0, 0, 0, 0, 0);
    this.#rows.row(at, at, GAP, LAST, 0, 0, 0, 0, 0, 0);
    this.#rows.play(exchange, instrument, at);
  }
}
