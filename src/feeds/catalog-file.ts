import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MillraceError } from '../model/errors.ts';
import { isoTime } from '../platform/time.ts';
import type { Recording } from './reader.ts';
import { guard } from './writer.ts';

/** The file that lists the recordings of a folder and of the folders in it. */
export const CATALOG_FILE = 'catalog.json';
const FORMAT = 'millrace-catalog-1';

/** A catalog's row of one recording. */
export interface CatalogRow {
  /** Its path from the folder of the catalog on. */
  readonly path: string;
  readonly symbol: string;
  readonly rows: number;
  /** First and last time of receipt, as ISO 8601. */
  readonly firstAt: string;
  readonly lastAt: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
}

/** Writes the rows of a symbol into the catalog of a folder, replacing its earlier ones. */
export function writeCatalogFile(
  folder: string,
  symbol: string,
  rows: readonly CatalogRow[],
): void {
  const path = join(folder, CATALOG_FILE);
  const others = (readCatalogFile(path) ?? []).filter((row) => row.symbol !== symbol);
  const recordings = [...others, ...rows].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  guard(path, () => {
    writeFileSync(`${path}.part`, `${JSON.stringify({ format: FORMAT, recordings }, null, 1)}\n`);
    renameSync(`${path}.part`, path);
  });
}

/** The rows of a catalog, `undefined` if there is none. Throws `recording-invalid` for an invalid one. */
export function readCatalogFile(path: string): readonly CatalogRow[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const read = JSON.parse(text) as { format?: unknown; recordings?: unknown } | null;
    const rows: unknown = read?.recordings;
    if (read?.format === FORMAT && Array.isArray(rows) && rows.every(isRow)) return rows;
  } catch {
    // Reported below.
  }
  throw new MillraceError(
    'recording-invalid',
    `${path} is no catalog of recordings: split them again.`,
    { where: path },
  );
}

const TEXTS = ['path', 'symbol', 'firstAt', 'lastAt', 'sha256'] as const;
const NUMBERS = ['rows', 'bytes'] as const;

function isRow(given: unknown): given is CatalogRow {
  if (typeof given !== 'object' || given === null) return false;
  const row = given as Readonly<Record<string, unknown>>;
  return (
    TEXTS.every((name) => typeof row[name] === 'string') &&
    NUMBERS.every((name) => Number.isSafeInteger(row[name]))
  );
}

/**
 * The recording, which must be the one that a catalog lists: its rows and times are checked at once, its
 * bytes when the fingerprint is read, as each run does. Throws `recording-invalid` if it is another.
 */
export function asListed(recording: Recording, row: CatalogRow, catalog: string): Recording {
  const { summary } = recording;
  const isSame =
    summary.rows === row.rows &&
    isoTime(summary.firstAt) === row.firstAt &&
    isoTime(summary.lastAt) === row.lastAt;
  if (!isSame) throw another(recording, catalog);
  return {
    path: recording.path,
    meta: recording.meta,
    summary,
    get fingerprint() {
      if (recording.fingerprint !== row.sha256) throw another(recording, catalog);
      return row.sha256;
    },
    batches: (from) => recording.batches(from),
    rowsBefore: (from) => recording.rowsBefore?.(from) ?? 0,
    close: () => {
      recording.close();
    },
  };
}

const another = ({ path }: Recording, catalog: string): MillraceError =>
  new MillraceError(
    'recording-invalid',
    `${path} is not the file that ${catalog} lists: split the recording again, or take the file out of the catalog.`,
    { where: path },
  );

/** The path of a listed recording. */
export const listedPath = (catalog: string, { path }: CatalogRow): string =>
  join(dirname(catalog), path);
