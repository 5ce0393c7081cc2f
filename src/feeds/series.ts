import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MillraceError } from '../model/errors.ts';
import { eventColumns, GAP, LAST, RESET, type EventColumns } from '../model/events.ts';
import { periodEnd } from '../model/period.ts';
import { isoTime, micros, US_PER_MINUTE, type Micros } from '../platform/time.ts';
import { asListed, CATALOG_FILE, listedPath, readCatalogFile } from './catalog-file.ts';
import type { CatalogRow } from './catalog-file.ts';
import { noRecordings, openCatalog, RECORDING_SUFFIX } from './catalog.ts';
import { openRecording, type Recording } from './reader.ts';
import type { DerivativeCounts, RecordingMeta, RecordingSummary } from './recording.ts';

/** Events of a symbol may be as far apart as this before the time between them counts as missing. */
const SILENCE_US = US_PER_MINUTE;

/** A recording, or several of one symbol that follow each other and read as one. */
export interface RecordingSeries extends Recording {
  /** Sentences about time that lies between two of its recordings and is in none of them. */
  readonly holes: readonly string[];
}

/**
 * Opens recordings, and those of the folders among the paths; those of one symbol are joined in the order
 * of their times. Returns one for each symbol, in the order in which the symbols are named. Throws what
 * opening them throws, and `recording-invalid` where two of a symbol do not follow each other; nothing
 * stays open then.
 */
export const openSeries = (paths: readonly string[]): readonly RecordingSeries[] =>
  openEach(paths, joined);

/** The same, with what `make` makes of the recordings of a symbol; they stay open unless it throws. */
export function openEach<T>(
  paths: readonly string[],
  make: (recordings: readonly Recording[]) => T,
): readonly T[] {
  const opened: Recording[] = [];
  try {
    const bySymbol = new Map<string, Recording[]>();
    for (const { path, listed, catalog } of paths.flatMap(recordingsAt)) {
      const found = openRecording(path);
      opened.push(found);
      const recording = listed === undefined ? found : asListed(found, listed, catalog);
      const { symbol } = recording.meta.instrument;
      bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []), recording]);
    }
    return [...bySymbol.values()].map((recordings) => make(recordings));
  } catch (error) {
    for (const recording of opened) recording.close();
    throw error;
  }
}

/** Joins recordings of one symbol. Throws `recording-invalid` if two do not follow each other. */
export const joined = (recordings: readonly Recording[]): RecordingSeries => new Series(recordings);

/**
 * The recordings of paths to files, folders and catalogs. Throws `file-missing` for a folder without any, and
 * what is wrong with a file of a folder.
 */
export const recordingPaths = (paths: readonly string[]): readonly string[] =>
  paths.flatMap(recordingsAt).map(({ path }) => path);

interface Found {
  readonly path: string;
  /** What the catalog says of it, where it is of one. */
  readonly listed?: CatalogRow;
  readonly catalog: string;
}

function recordingsAt(path: string): readonly Found[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const catalog = isFolder ? join(path, CATALOG_FILE) : path;
  const rows = isFolder || basename(path) === CATALOG_FILE ? readCatalogFile(catalog) : undefined;
  if (rows !== undefined) {
    if (rows.length === 0) throw noRecordings(path);
    if (isFolder) refuseUnlisted(path, rows);
    return rows.map((listed) => ({ path: listedPath(catalog, listed), listed, catalog }));
  }
  if (!isFolder) return [{ path, catalog }];
  const { entries, problems } = openCatalog(path);
  // What is left out would change the result in silence.
  const [problem] = problems;
  if (problem !== undefined) throw problem.error;
  if (entries.length === 0) throw noRecordings(path);
  return entries.map((entry) => ({ path: entry.path, catalog }));
}

/** What is left out would change the result in silence. */
function refuseUnlisted(folder: string, rows: readonly CatalogRow[]): void {
  const listed = new Set(rows.map(({ path }) => path));
  const stray = readdirSync(folder).find(
    (name) => name.endsWith(RECORDING_SUFFIX) && !listed.has(name),
  );
  if (stray === undefined) return;
  throw new MillraceError(
    'recording-invalid',
    `${join(folder, stray)} is not in the catalog of its folder: name the files, or move it into a folder of its own.`,
    { where: folder },
  );
}

/** Rows of a recording that follows another which were the other's: none if it is no part of the same. */
const carriedOf = (before: Recording | undefined, next: Recording): number =>
  before !== undefined && follows(before, next) ? (next.meta.provenance.part?.carried ?? 0) : 0;

/** True for parts of one recording of which one comes right after the other. */
function follows(before: Recording, next: Recording): boolean {
  const [first, second] = [before.meta.provenance.part, next.meta.provenance.part];
  return (
    first !== undefined &&
    second !== undefined &&
    first.of === second.of &&
    first.index + 1 === second.index
  );
}

class Series implements RecordingSeries {
  readonly path: string;
  readonly meta: RecordingMeta;
  readonly summary: RecordingSummary;
  readonly holes: readonly string[];
  readonly #recordings: readonly Recording[];
  /** Those without rows too. */
  readonly #open: readonly Recording[];

  constructor(recordings: readonly Recording[]) {
    this.#open = recordings;
    const sorted = inOrder(recordings);
    const [first] = sorted;
    this.#recordings = sorted;
    this.path = first.path;
    this.holes = holesOf(sorted);
    this.summary = summaryOf(sorted);
    this.meta = sorted.length === 1 ? first.meta : metaOf(sorted, this.holes);
  }

  get fingerprint(): string {
    const [first, ...others] = this.#recordings;
    if (others.length === 0) return first.fingerprint;
    const sha = createHash('sha256');
    for (const { fingerprint } of this.#recordings) sha.update(fingerprint);
    return sha.digest('hex');
  }

  *batches(from?: Micros): Generator<EventColumns, void, undefined> {
    let before: Recording | undefined;
    for (const recording of this.#recordings) {
      if (from !== undefined && recording.summary.lastAt < from) {
        before = recording;
        continue;
      }
      const isPart = before !== undefined && follows(before, recording);
      let carried = carriedOf(before, recording);
      let isStart = before !== undefined && !isPart && recording.summary.levels > 0;
      // Of the first file that is read, its beginning may be passed over too.
      const passedOver = from === undefined ? 0 : (recording.rowsBefore?.(from) ?? 0);
      carried = Math.max(0, carried - passedOver);
      isStart &&= passedOver === 0;
      for (const columns of recording.batches(from)) {
        // A recording that does not begin with its own book would change the one from before.
        if (isStart && columns.kind[0] !== RESET) yield gapAt(columns.receivedAt[0]);
        isStart = false;
        const skipped = Math.min(carried, columns.length);
        carried -= skipped;
        if (skipped < columns.length) yield skipped === 0 ? columns : without(columns, skipped);
      }
      before = recording;
    }
  }

  close(): void {
    for (const recording of this.#open) recording.close();
  }
}

/**
 * Recordings of one symbol by their times, without those that hold nothing if others do. Throws
 * `recording-invalid` if one cannot follow the one before it.
 */
function inOrder(recordings: readonly Recording[]): readonly Recording[] {
  const sorted = recordings.toSorted((a, b) => a.summary.firstAt - b.summary.firstAt);
  for (let index = 1; index < sorted.length; index += 1) {
    const [before, next] = [sorted[index - 1], sorted[index]];
    const fault = faultOf(before, next);
    if (fault === undefined) continue;
    throw new MillraceError(
      'recording-invalid',
      `${next.path} cannot follow ${before.path}: ${fault}.`,
      { where: next.path },
    );
  }
  const filled = sorted.filter(({ summary }) => summary.rows > 0);
  return filled.length === 0 ? sorted.slice(0, 1) : filled;
}

const TERMS = ['type', 'baseCurrency', 'quoteCurrency', 'tickSize', 'quantityIncrement'] as const;

function faultOf(before: Recording, next: Recording): string | undefined {
  const { symbol } = next.meta.instrument;
  if (before.meta.layout !== next.meta.layout || before.meta.period !== next.meta.period) {
    return `of ${symbol} either all recordings hold events or all hold candles of one period`;
  }
  if (before.meta.prices !== next.meta.prices) {
    return `its candles are of ${next.meta.prices ?? 'trades'}, the other's of ${before.meta.prices ?? 'trades'}`;
  }
  for (const field of TERMS) {
    if (before.meta.instrument[field] !== next.meta.instrument[field]) {
      return `its ${field} is another`;
    }
  }
  const { firstAt, rows } = next.summary;
  const { lastAt } = before.summary;
  if (rows === 0 || before.summary.rows === 0) return undefined;
  // One moment has many events and one candle.
  // Rows of one recording may have come before rows ahead of them, also where it was split.
  if (follows(before, next)) return undefined;
  const isOverlap = next.meta.layout === 'candles' ? firstAt <= lastAt : firstAt < lastAt;
  return isOverlap
    ? `the two were recorded at the same time: it begins at ${isoTime(firstAt)}, before the other ends at ${isoTime(lastAt)}`
    : undefined;
}

function holesOf(recordings: readonly Recording[]): readonly string[] {
  const holes: string[] = [];
  for (let index = 1; index < recordings.length; index += 1) {
    const [before, next] = [recordings[index - 1], recordings[index]];
    const { lastAt } = before.summary;
    const { firstAt } = next.summary;
    if (firstAt <= dueAt(next.meta, lastAt) || follows(before, next)) continue;
    holes.push(
      `Between ${basename(before.path)} and ${basename(next.path)} of ${next.meta.instrument.symbol} nothing is recorded from ${isoTime(lastAt)} to ${isoTime(firstAt)}.`,
    );
  }
  return holes;
}

/** When the next row has to come so that nothing is missing. */
const dueAt = ({ period }: RecordingMeta, lastAt: Micros): number =>
  period === undefined ? lastAt + SILENCE_US : periodEnd(period, lastAt);

function summaryOf(recordings: readonly Recording[]): RecordingSummary {
  // What a part carries over is a reset and levels.
  const carried = recordings.map((recording, index) => carriedOf(recordings[index - 1], recording));
  const again = carried.reduce((total, rows) => total + rows, 0);
  const resetsAgain = carried.filter((rows) => rows > 0).length;
  const sum = (count: 'rows' | 'trades' | 'quotes' | 'levels' | 'resets' | 'gaps' | 'candles') =>
    recordings.reduce((total, { summary }) => total + summary[count], 0);
  return {
    rows: sum('rows') - again,
    trades: sum('trades'),
    quotes: sum('quotes'),
    levels: sum('levels') - (again - resetsAgain),
    resets: sum('resets') - resetsAgain,
    gaps: sum('gaps'),
    candles: sum('candles'),
    ...derivativesOf(recordings),
    firstAt: recordings[0].summary.firstAt,
    lastAt: micros(Math.max(...recordings.map(({ summary }) => summary.lastAt))),
  };
}

/** Absent if none of them can hold any. */
function derivativesOf(recordings: readonly Recording[]): Pick<RecordingSummary, 'derivatives'> {
  const counts = recordings.flatMap(({ summary }) => summary.derivatives ?? []);
  if (counts.length === 0) return {};
  const sum = (count: keyof DerivativeCounts): number =>
    counts.reduce((total, one) => total + one[count], 0);
  return {
    derivatives: {
      marks: sum('marks'),
      indexes: sum('indexes'),
      fundings: sum('fundings'),
      openInterests: sum('openInterests'),
    },
  };
}

function metaOf(recordings: readonly Recording[], holes: readonly string[]): RecordingMeta {
  const last = recordings[recordings.length - 1];
  const of = recordings.map(({ meta }) => meta);
  const importers = [...new Set(of.map(({ provenance }) => provenance.importer))];
  const notes = [...new Set(of.flatMap(({ provenance }) => provenance.notes))];
  const names = `${basename(recordings[0].path)} to ${basename(last.path)}`;
  return {
    ...last.meta,
    ...(of.some(({ derivatives }) => derivatives === true) ? { derivatives: true } : {}),
    provenance: {
      importer: importers.join(', '),
      sources: of.flatMap(({ provenance }) => provenance.sources),
      synthetic: of.some(({ provenance }) => provenance.synthetic),
      notes: [
        `Joined of ${recordings.length} recordings, ${names}; fee rates are those of the last.`,
        ...holes,
        ...notes,
      ],
    },
  };
}

/** The rows behind so many, where they stand. */
const without = (columns: EventColumns, rows: number): EventColumns => ({
  length: columns.length - rows,
  receivedAt: columns.receivedAt.subarray(rows),
  stampedAt: columns.stampedAt.subarray(rows),
  kind: columns.kind.subarray(rows),
  flags: columns.flags.subarray(rows),
  sequence: columns.sequence.subarray(rows),
  price: columns.price.subarray(rows),
  size: columns.size.subarray(rows),
  askPrice: columns.askPrice.subarray(rows),
  askSize: columns.askSize.subarray(rows),
  open: columns.open.subarray(rows),
});

function gapAt(receivedAt: number): EventColumns {
  const columns = eventColumns(1);
  columns.length = 1;
  columns.receivedAt[0] = receivedAt;
  columns.stampedAt[0] = receivedAt;
  columns.kind[0] = GAP;
  columns.flags[0] = LAST;
  return columns;
}
