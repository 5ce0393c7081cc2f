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

/** Output of an import: it receives the rows one by one; a recording's writer is one. */
export interface ImportSink extends RowSink {
  /** Closes the output and counts its rows; receives the final provenance. */
  finish(provenance: Provenance): RecordingSummary | Promise<RecordingSummary>;
  /** Removes what was written. */
  abandon(): void | Promise<void>;
}

/** Makes the sink once the importer knows what it will write. */
export type OpenSink = (meta: RecordingMeta) => ImportSink | Promise<ImportSink>;

/** Options for an importer; each format names those it reads. */
export interface ImportOptions extends KnownTerms {
  /** Period of imported candles; inferred from their spacing if absent. */
  readonly period?: Period;
  /** Whether a candle's time is its start, as nearly everywhere, or its end. */
  readonly candleTime?: 'open' | 'close';
  /** Prices of the candles, if those are not trades: they have no volume, and nobody traded at them. */
  readonly prices?: CandlePrices;
  /** Unit of numeric times; inferred from their size if absent. */
  readonly timeUnit?: TimeUnit;
  /** Column of the file for a field that the importer would not find: `{ price: 'px' }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Time zone of times without an offset: `UTC`, `-05:00`, `Europe/Berlin`; UTC if absent. */
  readonly zone?: string;
  /** Size of the best bid and ask in files that have only their prices, as decimal text. */
  readonly quoteSize?: string;
  /** The layout of text files, instead of the recognized one. */
  readonly layout?: LayoutName;
  /** Mapping of text files of no known layout. */
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
  /** When a snapshot made the book whole again; `undefined` if none did, and for candles. */
  readonly until: Micros | undefined;
}

/** A snapshot that the updates around it do not continue, and that was therefore left out. */
export interface SkippedSnapshot {
  readonly file: string;
  readonly line: number;
  readonly lastUpdateId: number;
}

/** Counts of a format's writing. */
export interface ImportCounts {
  readonly trades: number;
  /** Top-of-book events. */
  readonly quotes: number;
  /**
   * Levels named by updates of a book, as the venue sent them: also those before the first snapshot and
   * those while the book is stale, but neither the levels of snapshots nor repeated updates after an older
   * snapshot.
   */
  readonly levelChanges: number;
  readonly candles: number;
  /** Repeated candles with equal numbers; they are recorded once. */
  readonly repeatedCandles: number;
  /** Prices of candles that were rounded to the given tick size. */
  readonly roundedPrices: number;
  /** Largest distance of one of them from its tick, in ticks. */
  readonly furthestRounding: number;
  /** Candles whose volume was rounded down to the increment. */
  readonly roundedVolumes: number;
  readonly snapshots: number;
  /** Levels in the snapshots that were written. */
  readonly snapshotLevels: number;
  /** Levels of updates repeated after an older snapshot. */
  readonly repeatedLevels: number;
  readonly skippedSnapshots: readonly SkippedSnapshot[];
  readonly gaps: readonly ImportGap[];
  /** Skipped trade ids, if the venue counts its trades one by one. */
  readonly missingTrades: number;
  /** Trades whose id is not above the previous one. */
  readonly repeatedTrades: number;
  /** Trades without a side; they are recorded as if the buyer had been the aggressor. */
  readonly unsidedTrades: number;
  /** Messages of kinds that are not recorded. */
  readonly otherMessages: number;
  /** Contract data rows. */
  readonly marks: number;
  readonly indexes: number;
  readonly fundings: number;
  readonly openInterests: number;
  /** Mark and index prices and open interests of zero, which are invalid; they are left out. */
  readonly emptyReadings: number;
  /** Rows after a later one; all rows were sorted. */
  readonly unorderedRows: number;
  /** Rows of a period without trades, without numbers; they are left out. */
  readonly emptyRows: number;
  /** Candles whose high is not the highest of their prices, or whose low is not the lowest. */
  readonly inconsistentCandles: number;
  /** Candles without volume. */
  readonly volumelessCandles: number;
  /** Candles at the end without volume and at one price, for a day and more, as of a delisted symbol. */
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
  /** Inferred terms of the instrument. */
  readonly inferred: readonly (keyof InstrumentTerms)[];
  readonly notes: readonly string[];
  readonly rows: number;
  readonly firstAt: Micros;
  readonly lastAt: Micros;
}

/** Result of a format's first pass, before anything is written. */
export interface ImportNotes extends FoundTerms {
  readonly layout: RecordingMeta['layout'];
  readonly period?: Period;
  /** Prices of the candles, if those are not trades. */
  readonly prices?: CandlePrices | undefined;
  /** True if the files have contract data beside the market. */
  readonly derivatives?: boolean;
  /** Sentences for users of the recording. */
  readonly notes: readonly string[];
  /** True if rows are not in order of their times; all of them are sorted then. */
  readonly isUnordered?: boolean;
  /** True if rows are in reverse order: the newest first, also at equal times. */
  readonly isFalling?: boolean;
  /** True if only the beginning of the files was read. */
  readonly isGuess?: true;
}

/** Thrown by `write` if the files contradict a guess; all of them are scanned then. */
export class WrongGuess extends Error {}

/** Rows read for a guess: these show all decimals of prices and sizes. */
export const GUESS_ROWS = 10_000;

/** What a format writes: files, what the first pass found in them, and where rows go. */
export interface ImportWriting {
  readonly sources: ImportSources;
  readonly options: ImportOptions;
  readonly findings: ImportNotes;
  readonly instrument: InstrumentTerms;
  readonly sink: RowSink;
}

/** A format whose first pass looks at so many rows, of which the first are enough for a guess. */
export const surveyed = (
  name: string,
  survey: (sources: ImportSources, options: ImportOptions, most: number) => Promise<ImportNotes>,
  write: Format['write'],
): Format => ({
  name,
  guess: (sources, options) => survey(sources, options, GUESS_ROWS),
  scan: (sources, options) => survey(sources, options, Number.POSITIVE_INFINITY),
  write,
});

/** One file format: one pass over the files to know the instrument, one to write the rows. */
export interface Format {
  readonly name: string;
  /**
   * The probable result of `scan`, from the beginning of the files; `undefined` if that is not enough. Then
   * `write` must throw if `scan` would find something else, or reject the files.
   */
  guess?(sources: ImportSources, options: ImportOptions): Promise<ImportNotes | undefined>;
  scan(sources: ImportSources, options: ImportOptions): Promise<ImportNotes>;
  write(writing: ImportWriting): Promise<Partial<ImportCounts>>;
}
