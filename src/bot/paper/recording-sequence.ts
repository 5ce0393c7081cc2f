import { checkTraded, derivativesIn, tradedTerms } from '../../backtest/contracts.ts';
import type { FeedContents } from '../../engine/market/feed-contents.ts';
import type { Recording } from '../../feeds/reader.ts';
import { joined, openEach, type RecordingSeries } from '../../feeds/series.ts';
import type { EventColumns } from '../../model/events.ts';
import { Instrument } from '../../model/instrument.ts';
import type { MarginTerms } from '../../model/margin-terms.ts';
import type { Period } from '../../model/period.ts';

/** On what terms symbols are traded on margin, instead of those of their recordings. */
export type MarginBySymbol = Readonly<Record<string, readonly MarginTerms[]>>;

/** The recordings of one symbol, one after the other, as they were recorded. */
export class RecordingSequence {
  readonly instrument: Instrument;
  /** The period of its candles, if it holds candles. */
  readonly period: Period | undefined;
  readonly #series: RecordingSeries;

  /**
   * Its instrument is traded as in a backtest, on those margin terms if given. Throws `recording-invalid`
   * if the recordings are not of one kind, overlap, or are candles of prices at which nobody trades;
   * `instrument-unsupported` for an inverse contract.
   */
  constructor(recordings: readonly Recording[], margin: MarginBySymbol = {}) {
    for (const recording of recordings) checkTraded(recording);
    this.#series = joined(recordings);
    const { instrument, period } = this.#series.meta;
    this.instrument = new Instrument(tradedTerms(instrument, margin[instrument.symbol]));
    this.period = period;
  }

  get symbol(): string {
    return this.instrument.symbol;
  }

  get firstAt(): number {
    return this.#series.summary.firstAt;
  }

  /** True if there is nothing to play. */
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

  /** Available data if candles of `period` are built from its trades. */
  contents(period: Period): FeedContents {
    return {
      trades: this.hasTrades,
      levels: this.hasBook,
      quotes: this.hasQuotes,
      candlePeriod: this.period ?? (this.hasTrades ? period : undefined),
      derivatives: derivativesIn(this.#series.summary),
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

/** Opens recordings and groups them by symbol; closes all if one cannot be used. */
export const openRecordingSequences = (
  paths: readonly string[],
  margin?: MarginBySymbol,
): readonly RecordingSequence[] =>
  openEach(paths, (recordings) => new RecordingSequence(recordings, margin));
