import { join } from 'node:path';
import { writeLines } from '../../backtest/csv.ts';
import { tablesOf } from '../../backtest/run-tables.ts';
import { MillraceError } from '../../model/errors.ts';
import { isRun, type BacktestRun } from '../backtest.ts';
import { isSweepResult, type SweepResult } from '../sweep/options.ts';
import { isWalkForwardResult, type WalkForwardResult } from '../walk-forward/options.ts';
import { csvLines } from './csv-lines.ts';
import { writeTogether } from './new-files.ts';
import { exportRunTables } from './run-export.ts';
import { sweepTables, walkForwardTables, type TableWriter } from './search-tables.ts';

/** The formats of tables. */
export const TABLE_FORMATS = ['csv', 'parquet'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/**
 * Writes every row of a run, a sweep or a walk-forward for notebooks and databases, replacing
 * existing files: of a run `orders`, `fills`, `trades`, `equity`, `balances` and `metrics`, and
 * `payments` with margin trading; of a sweep `results` and `equity`, of a walk-forward `folds` and
 * `equity`. Removes `payments` of another run. Returns their absolute paths. Throws
 * `file-unwritable`.
 */
export async function exportTables(
  given: BacktestRun | SweepResult | WalkForwardResult,
  folder: string,
  formats: readonly TableFormat[] = TABLE_FORMATS,
): Promise<readonly string[]> {
  const { paths } = await writeTogether(
    checked(given, folder, formats),
    () => undefined,
    async (into) => {
      const files: string[] = [];
      for (const format of formats) {
        files.push(
          ...(isRun(given)
            ? await exportRunTables(given.result, tablesOf(given.result), format, into)
            : await exportSearchTables(given, format, into)),
        );
      }
      const payments = formats.map((format) => `payments.${format}`);
      const absent = isRun(given) ? payments.filter((file) => !files.includes(file)) : [];
      return { files, absent };
    },
  );
  return paths;
}

async function exportSearchTables(
  given: SweepResult | WalkForwardResult,
  format: TableFormat,
  into: string,
): Promise<readonly string[]> {
  // The Parquet writer is loaded on demand.
  const parquet = format === 'csv' ? undefined : await import('../../backtest/parquet.ts');
  const files: string[] = [];
  const write: TableWriter = (name, columns, rows) => {
    files.push(`${name}.${format}`);
    const path = join(into, `${name}.${format}`);
    if (parquet === undefined) writeLines(path, csvLines(columns, rows));
    else parquet.writeParquet(path, columns, rows);
  };
  if (isSweepResult(given)) sweepTables(given, write);
  else walkForwardTables(given, write);
  return files;
}

function checked(given: unknown, folder: unknown, formats: unknown): string {
  const known: readonly unknown[] = TABLE_FORMATS;
  const isRight =
    (isRun(given) || isSweepResult(given) || isWalkForwardResult(given)) &&
    typeof folder === 'string' &&
    folder !== '' &&
    Array.isArray(formats) &&
    formats.every((format) => known.includes(format));
  if (isRight) return folder;
  throw new MillraceError(
    'usage',
    'exportTables takes what backtest, sweep or walkForward gave, a folder, and formats: csv, parquet or both.',
  );
}
