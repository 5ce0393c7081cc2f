import type { InstrumentTerms } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import type { Micros } from '../../platform/time.ts';
import type { CandlePrices, Provenance, RecordingMeta, RecordingSummary } from '../recording.ts';
import type { RowSink } from '../row-sink.ts';
import type { Mapping } from './layout.ts';
import type { LayoutName } from './layouts.ts';
import type { ImportSources } from './source.ts';
import type { FoundTerms, KnownTerms } from './terms.ts';
import type { TimeUnit } from './timestamp.ts';

/** Where an import ends: its rows go in one by one; a recording's writer is one. */
export interface ImportSink extends RowSink {
  /** Closes what was written and counts it; takes the provenance with all that is known at the end. */
  finish(provenance: Provenance): RecordingSummary | Promise<RecordingSummary>;
  /** Removes what was written. */
  abandon(): void | Promise<void>;
}

/** Makes the sink once the importer knows what it will write. */
export type OpenSink = (meta: RecordingMeta) => ImportSink | Promise<ImportSink>;

/** Options for an importer; each format names those it reads. */
export interface ImportOptions extends KnownTerms {
  /** Period of imported candles; inferred from their spacing when not given. */
  readonly period?: Period;
  /** Whether a candle's time is its start, as nearly everywhere, or its end. */
  readonly candleTime?: 'open' | 'close';
  /** What candles are of, where that is not trades: they have no volume, and nobody traded at them. */
  readonly prices?: CandlePrices;
  /** Unit of times that are plain numbers; inferred from their size when not given. */
  readonly timeUnit?: TimeUnit;
  /** Column of the file for a field, where the importer would not find it: `{ price: 'px' }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Where the clock of times without an offset hangs: `UTC`, `-05:00`, `Europe/Berlin`; UTC when not given. */
  readonly zone?: string;
  /** Size of the best bid and ask in files that have only their prices, as decimal text. */
  readonly quoteSize?: string;
  /** The layout of text files, in place of the one that their first lines show. */
  readonly layout?: LayoutName;
  /** How text files of no known layout hold their rows. */
  readonly mapping?: Mapping;
}

/** Something that was missing in the files, seen at the first line that does not follow. */
export interface ImportGap {
  readonly file: string;
  /** Line of text files, counted from 1; row of Parquet files. */
  readonly line: number;
  /** `book`: update ids of a book; `candles`: starts of candles, in microseconds. */
  readonly kind: 'book' | 'candles';
  readonly expected: number;
  readonly found: number;
  /** When the line was received. */
  readonly at: Micros;
  /** When a snapshot made the book whole again; `undefined` when none did, and for candles. */
  readonly until: Micros | undefined;
}

/** A snapshot that the updates around it do not continue, and that was therefore left out. */
export interface SkippedSnapshot {
  readonly file: string;
  readonly line: number;
  readonly lastUpdateId: number;
}

/** What a format counts while it writes. */
export interface ImportCounts {
  readonly trades: number;
  /** Top-of-book events. */
  readonly quotes: number;
  /**
   * Levels named by updates of a book, as the venue sent them: also those before the first
   * snapshot and those while the book is stale, but neither the levels of snapshots nor updates
   * written once more after the snapshot that is older than they are.
   */
  readonly levelChanges: number;
  readonly candles: number;
  /** Candles that came again with equal numbers; they are recorded once. */
  readonly repeatedCandles: number;
  /** Prices of candles that were rounded to the tick size that was given. */
  readonly roundedPrices: number;
  /** How far the furthest of them was from its tick, in ticks. */
  readonly furthestRounding: number;
  /** Candles whose volume was rounded down onto the grid of sizes. */
  readonly roundedVolumes: number;
  readonly snapshots: number;
  /** Levels in the snapshots that were written. */
  readonly snapshotLevels: number;
  /** Levels of updates written once more, after the snapshot that is older than they are. */
  readonly repeatedLevels: number;
  readonly skippedSnapshots: readonly SkippedSnapshot[];
  readonly gaps: readonly ImportGap[];
  /** Trade ids that were jumped over, where the venue counts its trades one by one. */
  readonly missingTrades: number;
  /** Trades whose id is not above the one before. */
  readonly repeatedTrades: number;
  /** Trades without a side; they are recorded as if the buyer had been the aggressor. */
  readonly unsidedTrades: number;
  /** Messages of kinds that are not recorded. */
  readonly otherMessages: number;
  /** What was said of a derivative beside its market. */
  readonly marks: number;
  readonly indexes: number;
  readonly fundings: number;
  readonly openInterests: number;
  /** Mark and index prices and open interests of zero, which are none; they are left out. */
  readonly emptyReadings: number;
  /** Rows that stood before an earlier one; all rows were brought into order. */
  readonly unorderedRows: number;
  /** Rows of a period in which nobody traded, without numbers; they are left out. */
  readonly emptyRows: number;
  /** Candles whose high is not the highest of their prices, or whose low is not the lowest. */
  readonly inconsistentCandles: number;
  /** Candles without volume. */
  readonly volumelessCandles: number;
  /** Candles at the end without volume and at one price, for a day and more, as of a symbol that is delisted. */
  readonly deadCandles: number;
  /** Files that begin late or end early, by what their names promise, in a sentence each. */
  readonly partialFiles: readonly string[];
}

export interface ImportReport extends ImportCounts {
  readonly format: string;
  readonly files: readonly string[];
  readonly layout: RecordingMeta['layout'];
  readonly period: Period | undefined;
  readonly instrument: InstrumentTerms;
  /** Terms of the instrument that nobody gave. */
  readonly inferred: readonly (keyof InstrumentTerms)[];
  readonly notes: readonly string[];
  readonly rows: number;
  readonly firstAt: Micros;
  readonly lastAt: Micros;
}

/** What a format's first pass finds out, before anything is written. */
export interface ImportNotes extends FoundTerms {
  readonly layout: RecordingMeta['layout'];
  readonly period?: Period;
  /** What the candles are of, where that is not trades. */
  readonly prices?: CandlePrices | undefined;
  /** True if the files have derivative data beside the market. */
  readonly derivatives?: boolean;
  /** Sentences for whoever uses the recording. */
  readonly notes: readonly string[];
  /** True if rows do not stand in the order of their times; all of them are sorted then. */
  readonly isUnordered?: boolean;
  /** True if no row stands after an earlier one: the newest is the first, also of those at one time. */
  readonly isFalling?: boolean;
  /** True if only the beginning of the files was looked at. */
  readonly isGuess?: true;
}

/** Thrown by `write` where the files hold what a guess at them ruled out; all of them are looked at then. */
export class WrongGuess extends Error {}

/** Rows that a guess looks at: in the first of them prices and sizes have shown all their decimals. */
export const GUESS_ROWS = 10_000;

/** One file format: one pass over the files to know the instrument, one to write the rows. */
export interface Format {
  readonly name: string;
  /**
   * What `scan` would most likely find, from the beginning of the files; `undefined` where that is not
   * enough. Then `write` has to throw where `scan` would find something else, or refuse the files.
   */
  guess?(sources: ImportSources, options: ImportOptions): Promise<ImportNotes | undefined>;
  scan(sources: ImportSources, options: ImportOptions): Promise<ImportNotes>;
  write(
    sources: ImportSources,
    options: ImportOptions,
    findings: ImportNotes,
    instrument: InstrumentTerms,
    sink: RowSink,
  ): Promise<Partial<ImportCounts>>;
}
