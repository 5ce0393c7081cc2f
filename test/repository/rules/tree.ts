import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What git does not hold either. */
const NOT_OURS = new Set([
  '.git',
  'node_modules',
  'dist',
  'coverage',
  'reports',
  'runs',
  'docs/api',
]);
/** Bytes, not text. */
const BINARY = /\.(arrow|gz|zst|parquet|png|ico|woff2)$/;

export interface TextFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** All text files of the project. */
export function textFiles(folder = ROOT): TextFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = join(folder, entry.name);
    const path = relative(ROOT, full).split(sep).join('/');
    if (NOT_OURS.has(path) || NOT_OURS.has(entry.name)) return [];
    if (entry.isDirectory()) return textFiles(full);
    if (!entry.isFile() || BINARY.test(path)) return [];
    return [{ path, text: readFileSync(full, 'utf8') }];
  });
}
