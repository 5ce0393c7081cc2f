import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import type { JsonValue, Provenance, RecordingMeta, SourceFile } from '../recording.ts';
import type {
  Findings,
  Format,
  ImportCounts,
  ImportOptions,
  ImportReport,
  OpenSink,
} from './contract.ts';
import { Sources, type ImportProgress } from './source.ts';
import { settleTerms, type SettledTerms } from './terms.ts';

const NOTHING: ImportCounts = {
  trades: 0,
  quotes: 0,
  levelChanges: 0,
  candles: 0,
  snapshots: 0,
  snapshotLevels: 0,
  repeatedLevels: 0,
  skippedSnapshots: [],
  gaps: [],
  missingTrades: 0,
  repeatedTrades: 0,
  unsidedTrades: 0,
  otherMessages: 0,
};

/**
 * Imports files of one format: their fingerprints, a pass that finds the instrument's terms, a
 * pass that writes. Whatever goes wrong, the sink is abandoned and the error thrown on.
 */
export async function importFiles(
  format: Format,
  files: readonly string[],
  options: ImportOptions,
  open: OpenSink,
  progress: ImportProgress = () => undefined,
): Promise<ImportReport> {
  const sources = await Sources.of(files, progress);
  sources.plan(3);
  const fingerprints = await fingerprintsOf(sources);
  const findings = await format.scan(sources, options);
  sources.passed(2);
  const settled = settleTerms(options, findings);
  const notes = [...findings.notes, ...inferenceNotes(settled)];
  const provenance = provenanceOf(format, fingerprints, options, notes);
  const sink = await open(metaOf(findings, settled, provenance));
  try {
    const counts = await format.write(sources, options, findings, settled.terms, sink);
    sources.passed(3);
    const summary = await sink.finish();
    return {
      ...NOTHING,
      ...counts,
      format: format.name,
      files,
      layout: findings.layout,
      period: findings.period,
      instrument: settled.terms,
      inferred: settled.inferred,
      notes,
      rows: summary.rows,
      firstAt: summary.firstAt,
      lastAt: summary.lastAt,
    };
  } catch (cause) {
    await sink.abandon();
    throw cause;
  }
}

function metaOf(findings: Findings, settled: SettledTerms, provenance: Provenance): RecordingMeta {
  const { layout, period } = findings;
  const instrument = settled.terms;
  return period === undefined
    ? { layout, instrument, provenance }
    : { layout, period, instrument, provenance };
}

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

async function fingerprintsOf(sources: Sources): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of sources.files) {
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
