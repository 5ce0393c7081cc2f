import { MillraceError } from '../../model/errors.ts';
import type { EventColumns } from '../../model/events.ts';
import { Instrument, type InstrumentTerms } from '../../model/instrument.ts';
import { periodOf, type PeriodName } from '../../model/period.ts';
import { parseIsoTime, type Micros } from '../../platform/time.ts';
import type { ImportOptions, ImportReport } from '../importers/contract.ts';
import { chooseFormat } from '../importers/choice.ts';
import type { FormatName } from '../importers/formats.ts';
import type { LayoutName } from '../importers/layouts.ts';
import { importFiles } from '../importers/run.ts';
import { merge, type Span } from '../merge.ts';
import type { RecordingMeta, RecordingSummary } from '../recording.ts';
import { openSeries, type RecordingSeries } from '../series.ts';
import { RecordingWriter } from '../writer.ts';
import { eventOf, EventWriter, word, type FeedEvent } from './event.ts';
import { defineImporter, formatOf, type Importer } from './importer.ts';

/** A time as ISO 8601, or in microseconds since 1970. */
export type TimeInput = string | number;

/** A part of a recording. */
export interface SpanInput {
  /** Events received from here on. */
  readonly from?: TimeInput;
  /** Events received before here. */
  readonly till?: TimeInput;
}

/** A recording that is open for reading, or several of one symbol that follow each other. */
export interface OpenRecording {
  readonly meta: RecordingMeta;
  readonly summary: RecordingSummary;
  /** SHA-256 of the file in hexadecimal, of several files that of their fingerprints. */
  readonly fingerprint: string;
  /** Sentences about time between files that none of them holds. */
  readonly holes: readonly string[];
  /** The events one by one, with exact decimal text. */
  events(span?: SpanInput): Generator<FeedEvent, void, undefined>;
  /**
   * The rows as columns of numbers in ticks and lots, many at a time: the quick way. The columns are filled
   * again for each batch.
   */
  batches(): Generator<EventColumns, void, undefined>;
  close(): void;
}

/**
 * Opens a recording, or the files and folders of recordings of one symbol as one. Throws `file-missing`,
 * `recording-truncated` and `recording-invalid`, and `usage` if there are several symbols.
 */
export function openRecording(paths: string | readonly string[]): OpenRecording {
  const series = openSeries(pathsOf(paths, 'openRecording'));
  const [first, second] = series;
  if (second === undefined && first !== undefined) return new Opened(first);
  for (const one of series) one.close();
  const symbols = series.map(({ meta }) => meta.instrument.symbol).join(', ');
  throw new MillraceError(
    'usage',
    `openRecording opens recordings of one symbol, and was given ${symbols === '' ? 'none' : `some of ${symbols}`}.`,
  );
}

class Opened implements OpenRecording {
  readonly meta: RecordingMeta;
  readonly summary: RecordingSummary;
  readonly holes: readonly string[];
  readonly #series: RecordingSeries;

  constructor(series: RecordingSeries) {
    this.#series = series;
    this.meta = series.meta;
    this.summary = series.summary;
    this.holes = series.holes;
  }

  get fingerprint(): string {
    return this.#series.fingerprint;
  }

  *events(span: SpanInput = {}): Generator<FeedEvent, void, undefined> {
    const instrument = new Instrument(this.meta.instrument);
    for (const { columns, start, end } of merge([this.#series], spanOf(span))) {
      for (let row = start; row < end; row += 1) yield eventOf(columns, row, instrument);
    }
  }

  batches(): Generator<EventColumns, void, undefined> {
    return this.#series.batches();
  }

  close(): void {
    this.#series.close();
  }
}

/** What a recording is of, for who writes one. */
export interface RecordingAbout {
  readonly instrument: InstrumentTerms;
  /** Of candles their period. */
  readonly period?: PeriodName;
  /** Whether events of a derivative may be among them. */
  readonly derivatives?: boolean;
  /** Who wrote it; `program` if nothing is said. */
  readonly importer?: string;
  /** Whether the market is made up. */
  readonly synthetic?: boolean;
  readonly notes?: readonly string[];
}

/**
 * Writes a recording: the file has its name once it is whole and on the disk, in place of one that is there.
 * Whatever goes wrong, nothing stays behind. Throws `event-invalid` and `off-grid` for an event that cannot be
 * recorded, `instrument-invalid`, and `file-unwritable`.
 */
export async function writeRecording(
  path: string,
  about: RecordingAbout,
  events: Iterable<FeedEvent> | AsyncIterable<FeedEvent>,
): Promise<RecordingSummary> {
  const [file] = pathsOf(path, 'writeRecording');
  const meta = metaOf(about);
  const given: unknown = events;
  if (typeof given !== 'object' || given === null || !isIterable(given)) {
    throw new MillraceError(
      'usage',
      `writeRecording takes an iterable of events, not ${word(given)}.`,
    );
  }
  const instrument = new Instrument(meta.instrument);
  const writer = RecordingWriter.create(file, meta, { replaceUnfinished: true });
  try {
    const rows = new EventWriter(writer, instrument, meta.layout);
    for await (const event of events) rows.write(event);
    return writer.finish();
  } catch (cause) {
    writer.abandon();
    throw cause;
  }
}

const isIterable = (given: object): boolean =>
  Symbol.iterator in given || Symbol.asyncIterator in given;

function metaOf(about: RecordingAbout): RecordingMeta {
  const given: unknown = about;
  if (typeof given !== 'object' || given === null) {
    throw new MillraceError('usage', 'writeRecording takes an object that says what it is of.');
  }
  const { instrument, period, derivatives, importer, synthetic, notes } = about;
  const terms: unknown = instrument;
  if (typeof terms !== 'object' || terms === null) {
    throw new MillraceError('instrument-invalid', 'A recording needs the terms of its instrument.');
  }
  return {
    layout: period === undefined ? 'events' : 'candles',
    ...(period === undefined ? {} : { period: periodOf(period) }),
    ...(derivatives === true ? { derivatives } : {}),
    instrument: new Instrument(instrument).terms,
    provenance: {
      importer: importer ?? 'program',
      sources: [],
      synthetic: synthetic === true,
      notes: notes ?? [],
    },
  };
}

/** Options of an import. */
export interface ImportInput extends ImportOptions {
  /**
   * A format or a layout of text files by its name, or an importer of one's own. Where it is absent, the
   * content of the first file decides.
   */
  readonly format?: FormatName | LayoutName | Importer;
  /** The files, oldest first. */
  readonly files: readonly string[];
  /** Path of the recording, `NAME.arrow`; it is written over. */
  readonly to: string;
  /** Called while it runs: bytes read so far, of how many in all passes. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
  /** Ends the import early: it then throws the reason and leaves nothing behind. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a recording of files of another format. Throws `import-invalid` with file and line for what is not
 * as the format says, `off-grid`, `file-missing`, and `usage` where the instrument cannot be derived.
 */
export async function importRecording(input: ImportInput): Promise<ImportReport> {
  const all: unknown = input;
  if (typeof all !== 'object' || all === null) {
    throw new MillraceError('usage', 'importRecording takes an object with format, files and to.');
  }
  const { format, files, to, onProgress, signal, ...given } = input;
  const [target] = pathsOf(to, 'importRecording');
  const sources = pathsOf(files, 'importRecording');
  const { importer, options } =
    format === undefined || typeof format === 'string'
      ? await chooseFormat(format, sources, given)
      : { importer: formatOf(defineImporter(format)), options: given };
  return importFiles(
    importer,
    sources,
    options,
    (meta) => RecordingWriter.create(target, meta, { replaceUnfinished: true }),
    (read, total) => {
      signal?.throwIfAborted();
      onProgress?.(read, total);
    },
  );
}

function pathsOf(given: unknown, who: string): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(given) ? (given as readonly unknown[]) : [given];
  if (paths.length > 0 && paths.every((path) => typeof path === 'string' && path !== '')) {
    return paths as readonly string[];
  }
  throw new MillraceError('usage', `${who} takes paths as text, not ${word(paths[0])}.`);
}

function spanOf(given: SpanInput): Span {
  const { from, till } = given;
  return {
    ...(from === undefined ? {} : { from: timeOf('from', from) }),
    ...(till === undefined ? {} : { till: timeOf('till', till) }),
  };
}

function timeOf(field: string, given: TimeInput): Micros {
  const at = typeof given === 'string' ? parseIsoTime(given) : given;
  if (Number.isSafeInteger(at)) return at as Micros;
  throw new MillraceError(
    'usage',
    `${field} is ${word(given)} and must be ISO 8601, or whole microseconds since 1970.`,
    { field },
  );
}
