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
import { MillraceError } from '../model/errors.ts';
import {
  EQUITY_COLUMNS,
  FILL_COLUMNS,
  ORDER_COLUMNS,
  PAYMENT_COLUMNS,
  TRADE_COLUMNS,
  writeCsv,
} from './csv.ts';
import { reportPage } from './report.ts';
import type { BacktestResult } from './result.ts';
import { everySample } from './tables/equity-series.ts';
import { everyRow } from './tables/row-table.ts';

/** Where the files of a run are. */
export interface RunFiles {
  readonly folder: string;
  readonly result: string;
  readonly report: string;
  /** Every row of what the other two show the first of, as CSV. */
  readonly tables: Readonly<Record<TableName, string>> & {
    /** Where something was traded on margin. */
    readonly payments?: string;
  };
}

type TableName = 'orders' | 'fills' | 'trades' | 'equity';

const TABLES: readonly TableName[] = ['orders', 'fills', 'trades', 'equity'];
const PAYMENTS = 'payments';

/** How much of the hash names the folder of a run. */
const HASH_DIGITS = 12;

/**
 * Writes `result.json`, `report.html` and the tables into `out/<strategy>-<hash>/`. The folder appears whole or
 * not at all; a folder of the same run is replaced, since it says the same. Throws
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
    writeTables(result, temporary);
    // A rename replaces no folder that holds files, so the old one makes room first.
    if (existsSync(folder)) retire(folder, out);
    renameSync(temporary, folder);
  } catch (cause) {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    throw new MillraceError(
      'file-unwritable',
      `The results could not be written to ${folder} (${cause instanceof Error ? cause.message : String(cause)}). Free some space, or choose another folder.`,
      { where: folder, cause },
    );
  }
  const names = result.payments === undefined ? TABLES : [...TABLES, PAYMENTS];
  const tables = Object.fromEntries(names.map((name) => [name, tablePath(folder, name)]));
  return {
    folder,
    result: join(folder, 'result.json'),
    report: join(folder, 'report.html'),
    tables: tables as RunFiles['tables'],
  };
}

const tablePath = (folder: string, name: string): string => join(folder, `${name}.csv`);

function writeTables(result: BacktestResult, into: string): void {
  const { orderHistory, fills, trades, series, payments } = result;
  writeCsv(tablePath(into, 'orders'), ORDER_COLUMNS, everyRow(orderHistory));
  writeCsv(tablePath(into, 'fills'), FILL_COLUMNS, everyRow(fills));
  writeCsv(tablePath(into, 'trades'), TRADE_COLUMNS, everyRow(trades));
  writeCsv(tablePath(into, 'equity'), EQUITY_COLUMNS, everySample(series));
  if (payments === undefined) return;
  writeCsv(tablePath(into, PAYMENTS), PAYMENT_COLUMNS, everyRow(payments));
}

function retire(folder: string, out: string): void {
  const aside = mkdtempSync(join(out, `.${basename(folder)}-old-`));
  renameSync(folder, join(aside, 'run'));
  rmSync(aside, { recursive: true, force: true });
}
