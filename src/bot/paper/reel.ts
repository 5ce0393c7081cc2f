import type { FeedContents } from '../../engine/market/feed-contents.ts';
import type { Recording } from '../../feeds/reader.ts';
import { joined, openEach, type RecordingSeries } from '../../feeds/series.ts';
import type { EventColumns } from '../../model/events.ts';
import { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import { checkSpot } from '../../rules/spot.ts';

/** The recordings of one symbol, one after the other, as they were recorded. */
export class Reel {
  readonly instrument: Instrument;
  /** The period of its candles, where it holds candles. */
  readonly period: Period | undefined;
  readonly #series: RecordingSeries;

  /** Throws `recording-invalid` where the recordings are not of one kind, or overlap; `futures-unsupported` for futures. */
  constructor(recordings: readonly Recording[]) {
    for (const { meta, path } of recordings) checkSpot(meta.instrument, path);
    this.#series = joined(recordings);
    const { instrument, period } = this.#series.meta;
    this.instrument = new Instrument(instrument);
    this.period = period;
  }

  get symbol(): string {
    return this.instrument.symbol;
  }

  get firstAt(): number {
    return this.#series.summary.firstAt;
  }

  /** True where there is nothing to play. */
  get isEmpty(): boolean {
    return this.#series.summary.rows === 0;
  }

  get hasTrades(): boolean {
    return this.#has('trades');
  }

  get hasQuotes(): boolean {
    return this.#has('quotes');
  }

  get hasBook(): boolean {
    return this.#has('levels') || this.#has('resets');
  }

  /** What can be listened to when candles of `period` are made of its trades. */
  contents(period: Period): FeedContents {
    return {
      trades: this.hasTrades,
      levels: this.hasBook,
      quotes: this.hasQuotes,
      candlePeriod: this.period ?? (this.hasTrades ? period : undefined),
    };
  }

  batches(): Generator<EventColumns, void, undefined> {
    return this.#series.batches();
  }

  close(): void {
    this.#series.close();
  }

  #has(what: 'trades' | 'quotes' | 'levels' | 'resets'): boolean {
    return this.#series.summary[what] > 0;
  }
}

/** Opens recordings and puts those of a symbol together; closes them all where one cannot be used. */
export const openReels = (paths: readonly string[]): readonly Reel[] =>
  openEach(paths, (recordings) => new Reel(recordings));
