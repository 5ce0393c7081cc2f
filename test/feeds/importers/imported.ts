import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type {
  ImportOptions,
  ImportReport,
  ImportSink,
} from '../../../src/feeds/importers/contract.ts';
import type { FormatName } from '../../../src/feeds/importers/formats.ts';
import { chooseFormat } from '../../../src/feeds/importers/choice.ts';
import { importFiles } from '../../../src/feeds/importers/run.ts';
import type { RecordingMeta } from '../../../src/feeds/recording.ts';
import { openRecording } from '../../../src/feeds/reader.ts';
import { RecordingWriter } from '../../../src/feeds/writer.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { rowsOf, temporaryFolder, type Row } from '../../kit/recordings.ts';

export type { Row } from '../../kit/recordings.ts';

export interface Imported {
  readonly report: ImportReport;
  readonly meta: RecordingMeta;
  readonly rows: readonly Row[];
}

/** Imports files into a true recording and reads it back; without a format they show what they are. */
export async function importPaths(
  format: FormatName | undefined,
  paths: readonly string[],
  given: ImportOptions = {},
): Promise<Imported> {
  const target = join(temporaryFolder(), 'made', 'it.arrow');
  const { importer, options } = await chooseFormat(format, paths, given);
  const report = await importFiles(importer, paths, options, (meta) =>
    RecordingWriter.create(target, meta),
  );
  const recording = openRecording(target);
  try {
    const rows: Row[] = [];
    for (const columns of recording.batches()) rows.push(...rowsOf(columns));
    return { report, meta: recording.meta, rows };
  } finally {
    recording.close();
  }
}

/** Writes files by name into a folder, zipped where the name ends in .gz; gives their paths. */
export function filesOf(texts: Readonly<Record<string, string | Uint8Array>>): string[] {
  const folder = temporaryFolder();
  return Object.entries(texts).map(([name, text]) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, name.endsWith('.gz') && typeof text === 'string' ? gzipSync(text) : text);
    return path;
  });
}

export const importTexts = (
  format: FormatName | undefined,
  texts: Readonly<Record<string, string | Uint8Array>>,
  options: ImportOptions = {},
): Promise<Imported> => importPaths(format, filesOf(texts), options);

/** The error with which an import ends, after looking that it left no file behind. */
export async function rejectionOf(
  format: FormatName | undefined,
  paths: readonly string[],
  given: ImportOptions = {},
): Promise<MillraceError> {
  const folder = temporaryFolder();
  try {
    const { importer, options } = await chooseFormat(format, paths, given);
    await importFiles(importer, paths, options, (meta) =>
      RecordingWriter.create(join(folder, 'it.arrow'), meta),
    );
  } catch (error) {
    const left = readdirSync(folder);
    if (left.length > 0)
      throw new Error(`The import left ${left.join()} behind.`, { cause: error });
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('The import went well.');
}

/** A sink that only counts, for tests that look at the road and not at the rows. */
export function countingSink(): ImportSink & { readonly ended: string[]; rows: number } {
  const ended: string[] = [];
  return {
    ended,
    rows: 0,
    row() {
      this.rows += 1;
    },
    finish() {
      ended.push('finished');
      const none = { trades: 0, quotes: 0, levels: 0, resets: 0, gaps: 0, candles: 0 };
      const at = 0 as ImportReport['firstAt'];
      return { ...none, rows: this.rows, firstAt: at, lastAt: at };
    },
    abandon() {
      ended.push('abandoned');
    },
  };
}
