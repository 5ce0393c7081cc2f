import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../model/errors.ts';
import { openRecording } from './reader.ts';
import type { RecordingMeta, RecordingSummary } from './recording.ts';

/** Suffix of recordings. */
export const RECORDING_SUFFIX = '.arrow';

export interface CatalogEntry {
  readonly path: string;
  readonly meta: RecordingMeta;
  readonly summary: RecordingSummary;
}

/** A file of the folder that is an invalid recording. */
export interface CatalogProblem {
  readonly path: string;
  readonly error: MillraceError;
}

/** The recordings of a folder, by name, and its invalid files. */
export interface Catalog {
  readonly folder: string;
  readonly entries: readonly CatalogEntry[];
  readonly problems: readonly CatalogProblem[];
}

/** Reads a folder without its subfolders. Throws `file-missing` if it cannot be read. */
export function openCatalog(folder: string): Catalog {
  const entries: CatalogEntry[] = [];
  const problems: CatalogProblem[] = [];
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (name.endsWith(`${RECORDING_SUFFIX}.part`)) {
      problems.push({ path, error: unfinished(path) });
    } else if (name.endsWith(RECORDING_SUFFIX)) {
      try {
        const recording = openRecording(path);
        recording.close();
        entries.push({ path, meta: recording.meta, summary: recording.summary });
      } catch (error) {
        if (!(error instanceof MillraceError)) throw error;
        problems.push({ path, error });
      }
    }
  }
  return { folder, entries, problems };
}

/** What to say of a folder in which there is nothing to work with. */
export const noRecordings = (folder: string): MillraceError =>
  new MillraceError(
    'file-missing',
    `There are no recordings in ${folder}: they end in ${RECORDING_SUFFIX}, and the folders in it are not looked into.`,
    { where: folder },
  );

/** The files of a folder by name. Throws `file-missing`. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (cause) {
    throw new MillraceError('file-missing', `${folder} is no folder that can be read.`, {
      where: folder,
      cause,
    });
  }
}

const unfinished = (path: string): MillraceError =>
  new MillraceError(
    'recording-truncated',
    `${path} is unfinished: it is still being written, or a crash left it behind and it can be recovered.`,
    { where: path },
  );
