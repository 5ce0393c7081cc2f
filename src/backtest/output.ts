import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { errorText, MillraceError } from '../model/errors.ts';
import { writeCsv } from './csv.ts';
import { reportPage } from './report.ts';
import type { BacktestResult } from './result.ts';
import { tablesOf, writeTables } from './run-tables.ts';

/** Paths of a run's files. */
export interface RunFiles {
  readonly folder: string;
  readonly result: string;
  readonly report: string;
  /** Every row of the tables, of which the other two files show the first ones, as CSV by table. */
  readonly tables: TablePaths;
}

/** Paths of tables; `payments` with margin trading. */
export type TablePaths = Readonly<Record<'orders' | 'fills' | 'trades' | 'equity', string>> & {
  readonly payments?: string;
};

/** Digits of the hash in the name of a run's folder. */
const HASH_DIGITS = 12;

/**
 * Writes `result.json`, `report.html` and the tables as CSV into `out/<strategy>-<hash>/`. The
 * folder appears whole or not at all, and replaces that of the same run, which is equal. Throws
 * `file-unwritable`.
 */
export function writeRun(result: BacktestResult, out: string): RunFiles {
  const name = `${result.strategy.name}-${result.hash.slice(0, HASH_DIGITS)}`;
  const folder = join(out, name);
  // Both are made before anything is written. Tables are written row by row, as they may be long.
  const json = `${JSON.stringify(result, null, 1)}\n`;
  const page = reportPage(result);
  let temporary: string | undefined;
  try {
    mkdirSync(out, { recursive: true });
    temporary = mkdtempSync(join(out, `.${name}-`));
    chmodSync(temporary, 0o755);
    writeFileSync(join(temporary, 'result.json'), json);
    writeFileSync(join(temporary, 'report.html'), page);
    const within = temporary;
    writeTables(tablesOf(result), (name) => join(within, `${name}.csv`), writeCsv);
    // A rename does not replace a folder with files, so the old one is moved first.
    if (existsSync(folder)) retire(folder, out);
    renameSync(temporary, folder);
  } catch (cause) {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    throw new MillraceError(
      'file-unwritable',
      `The results could not be written to ${folder} (${errorText(cause)}). Free some space, or choose another folder.`,
      { where: folder, cause },
    );
  }
  return {
    folder,
    result: join(folder, 'result.json'),
    report: join(folder, 'report.html'),
    tables: tablePaths(result, folder),
  };
}

const TABLES = ['orders', 'fills', 'trades', 'equity'] as const;

function tablePaths({ payments }: BacktestResult, folder: string): TablePaths {
  const names = payments === undefined ? TABLES : [...TABLES, 'payments'];
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.csv`)])) as TablePaths;
}

function retire(folder: string, out: string): void {
  const aside = mkdtempSync(join(out, `.${basename(folder)}-old-`));
  renameSync(folder, join(aside, 'run'));
  rmSync(aside, { recursive: true, force: true });
}
