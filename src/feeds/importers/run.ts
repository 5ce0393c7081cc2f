import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MillraceError } from '../../model/errors.ts';
import type { JsonValue, Provenance, RecordingMeta, SourceFile } from '../recording.ts';
import {
  type ImportNotes,
  type Format,
  type ImportCounts,
  type ImportOptions,
  type ImportReport,
  type OpenSink,
  WrongGuess,
} from './contract.ts';
import { countOf } from '../summary.ts';
import { malformed } from './malformed.ts';
import { ImportSources, type ImportProgress } from './source.ts';
import { settleTerms, type SettledTerms } from './terms.ts';

const NOTHING: ImportCounts = {
  trades: 0,
  quotes: 0,
  levelChanges: 0,
  candles: 0,
  repeatedCandles: 0,
  roundedPrices: 0,
  furthestRounding: 0,
  roundedVolumes: 0,
  snapshots: 0,
  snapshotLevels: 0,
  repeatedLevels: 0,
  skippedSnapshots: [],
  gaps: [],
  missingTrades: 0,
  repeatedTrades: 0,
  unsidedTrades: 0,
  otherMessages: 0,
  marks: 0,
  indexes: 0,
  fundings: 0,
  openInterests: 0,
  emptyReadings: 0,
  unorderedRows: 0,
  emptyRows: 0,
  inconsistentCandles: 0,
  volumelessCandles: 0,
  deadCandles: 0,
  partialFiles: [],
};

/**
 * Imports files of one format: their fingerprints, the instrument's terms, the rows. The terms are guessed
 * from the beginning of the files if possible, and the rows written with them. Only if a row does not fit,
 * all files are scanned for the terms, and written again. On any error the sink is abandoned and the error
 * passed on.
 */
export async function importFiles(
  format: Format,
  files: readonly string[],
  options: ImportOptions,
  open: OpenSink,
  progress: ImportProgress = () => undefined,
): Promise<ImportReport> {
  const sources = await ImportSources.of(files, progress);
  const guess = await guessOf(format, sources, options);
  sources.plan(guess === undefined ? 3 : 2);
  const fingerprints = await fingerprintsOf(sources);
  const write = async (findings: ImportNotes): Promise<ImportReport> => {
    const report = await writeFiles({ format, sources, options, findings, fingerprints, open });
    sources.passed(guess === undefined ? 3 : 2);
    return report;
  };
  if (guess === undefined) {
    const findings = await format.scan(sources, options);
    sources.passed(2);
    return write(findings);
  }
  try {
    return await write(guess);
  } catch (cause) {
    if (!isOfTheFiles(cause)) throw cause;
    sources.plan(2);
    const findings = await format.scan(sources, options);
    sources.passed(1);
    // The error is not one of the guess.
    const isSame = isDeepStrictEqual({ ...findings, isGuess: true }, guess);
    if (isSame && !(cause instanceof WrongGuess)) throw cause;
    return write(findings);
  }
}

/** Mistakes in the files are reported by the scan of all of them. */
async function guessOf(
  format: Format,
  sources: ImportSources,
  options: ImportOptions,
): Promise<ImportNotes | undefined> {
  try {
    const findings = await format.guess?.(sources, options);
    return findings === undefined ? undefined : { ...findings, isGuess: true };
  } catch (cause) {
    if (isOfTheFiles(cause)) return undefined;
    throw cause;
  }
}

const OF_THE_FILES: ReadonlySet<unknown> = new Set([
  ...['import-invalid', 'off-grid', 'out-of-range', 'instrument-invalid', 'usage'],
]);

/** True for an error of a guess, or of the files themselves. */
const isOfTheFiles = (cause: unknown): boolean =>
  cause instanceof WrongGuess || (cause instanceof MillraceError && OF_THE_FILES.has(cause.code));

interface Writing {
  readonly format: Format;
  readonly sources: ImportSources;
  readonly options: ImportOptions;
  readonly findings: ImportNotes;
  readonly fingerprints: readonly SourceFile[];
  readonly open: OpenSink;
}

async function writeFiles(writing: Writing): Promise<ImportReport> {
  const { format, sources, options, findings, fingerprints, open } = writing;
  const { files } = sources;
  if (options.prices !== undefined && findings.prices === undefined) throw noCandles(format.name);
  const settled = settleTerms(options, findings);
  const notes = [...findings.notes, ...inferenceNotes(settled)];
  const provenance = provenanceOf(format, fingerprints, options, notes);
  const sink = await open(metaOf(findings, settled, provenance));
  try {
    const counts = {
      ...NOTHING,
      ...(await format.write({ sources, options, findings, instrument: settled.terms, sink })),
    };
    refuseNothing(format, files, counts);
    const allNotes = [...notes, ...countNotes(counts)];
    const summary = await sink.finish({ ...provenance, notes: allNotes });
    return {
      ...counts,
      format: format.name,
      files,
      layout: findings.layout,
      period: findings.period,
      instrument: settled.terms,
      inferred: settled.inferred,
      notes: allNotes,
      rows: summary.rows,
      firstAt: summary.firstAt,
      lastAt: summary.lastAt,
    };
  } catch (cause) {
    await sink.abandon();
    throw cause;
  }
}

/** A recording of nothing would only surprise later. */
function refuseNothing(format: Format, files: readonly string[], counts: ImportCounts): void {
  const { trades, quotes, candles, levelChanges, snapshots } = counts;
  if (trades + quotes + candles + levelChanges + snapshots + countOf(counts) > 0) return;
  throw malformed(files.join(', '), 'the files hold no events', `some of ${format.name}`);
}

function metaOf(
  findings: ImportNotes,
  settled: SettledTerms,
  provenance: Provenance,
): RecordingMeta {
  const { layout, period, prices, derivatives } = findings;
  const instrument = settled.terms;
  const tellsOfDerivative = derivatives === true || prices !== undefined;
  if (tellsOfDerivative && instrument.type === 'spot') throw spotHasNone(instrument.symbol);
  return {
    layout,
    period,
    prices,
    ...(derivatives === true ? { derivatives } : {}),
    instrument,
    provenance,
  };
}

const noCandles = (format: string): MillraceError =>
  new MillraceError(
    'usage',
    `${format} reads no candles of mark or index prices: leave --prices out, or give the candles to ohlcv-csv.`,
    { field: 'prices' },
  );

const spotHasNone = (symbol: string): MillraceError =>
  new MillraceError(
    'usage',
    `Mark and index prices, funding and open interest are of futures, and ${symbol} would be imported as spot: give --type futures, or leave those files out.`,
    { field: 'type' },
  );

function provenanceOf(
  format: Format,
  sources: readonly SourceFile[],
  options: ImportOptions,
  notes: readonly string[],
): Provenance {
  const parameters: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) parameters[name] = value as JsonValue;
  }
  return { importer: format.name, sources, synthetic: false, parameters, notes };
}

function inferenceNotes({ terms, inferred }: SettledTerms): string[] {
  if (inferred.length === 0) return [];
  const guesses = inferred.map((field) => `${field} ${terms[field]}`);
  return [`Inferred or assumed, since nobody gave them: ${guesses.join(', ')}.`];
}

const NO_SNAPSHOT =
  'There is no snapshot in the files: the book is never whole, and nothing can be taken from it.';

const NO_VOLUME =
  'No candle has a volume, as of prices at which nobody trades, or of quotes: fills that depend on volume do not happen.';

/** Notes about the counts for users of the recording. */
function countNotes(counts: ImportCounts): string[] {
  const notes: readonly (readonly [number, string])[] = [
    [counts.gaps.length, 'Gaps in the sequence of the files'],
    [counts.skippedSnapshots.length, 'Snapshots left out, since no update continues them'],
    [counts.missingTrades, 'Trade ids jumped over'],
    [counts.repeatedTrades, 'Trades that came again or out of order'],
    [counts.unsidedTrades, 'Trades without a side, recorded as if the buyer had taken'],
    [counts.repeatedCandles, 'Candles that came again with equal numbers, recorded once'],
    [
      counts.roundedPrices,
      `Prices rounded to the tick size, by ${counts.furthestRounding} of a tick at most`,
    ],
    [counts.roundedVolumes, 'Volumes rounded down onto the grid of sizes'],
    [counts.emptyReadings, 'Mark prices, index prices or open interests of zero, left out'],
    [counts.otherMessages, 'Messages of other kinds, left out'],
    [counts.unorderedRows, 'Rows that stood before an earlier one; all were sorted by time'],
    [
      counts.inconsistentCandles,
      'Candles whose high is not the highest price, or whose low is not the lowest',
    ],
    [counts.emptyRows, 'Rows without numbers, of periods in which nobody traded, left out'],
    [
      counts.deadCandles,
      'Candles at the end without volume and at one price, as of a symbol that is delisted',
    ],
  ];
  const counted = notes.filter(([count]) => count > 0);
  return [
    ...(counts.levelChanges > 0 && counts.snapshots === 0 ? [NO_SNAPSHOT] : []),
    ...counted.map(([count, what]) => `${what}: ${count}.`),
    ...(counts.candles > 0 && counts.volumelessCandles === counts.candles ? [NO_VOLUME] : []),
    ...counts.partialFiles.map((sentence) => `${sentence}.`),
  ];
}

async function fingerprintsOf(sources: ImportSources): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of sources.paths) {
    const hash = createHash('sha256');
    try {
      for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        sources.advance(chunk.length);
      }
    } catch (cause) {
      throw new MillraceError(
        'file-missing',
        `${file} cannot be read; name a file that is there.`,
        {
          where: file,
          cause,
        },
      );
    }
    found.push({ name: basename(file), sha256: hash.digest('hex') });
  }
  return found;
}
