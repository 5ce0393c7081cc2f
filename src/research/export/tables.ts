import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeCsv, writeLines } from '../../backtest/csv.ts';
import { writeTables, type TableFileWriter } from '../../backtest/run-tables.ts';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { isRun, type BacktestRun } from '../backtest.ts';
import { isSweepResult, type SweepResult } from '../sweep/options.ts';
import { isWalkForwardResult, type WalkForwardResult } from '../walk-forward/options.ts';
import { csvLines } from './csv-lines.ts';
import { replaceFile } from './replace-file.ts';
import { sweepTables, walkForwardTables, type TableWriter } from './search-tables.ts';

/** The formats of tables. */
export const TABLE_FORMATS = ['csv', 'parquet'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/**
 * Writes every row of a run, a sweep or a walk-forward for notebooks and databases, in place of files that
 * are there: of a run `orders`, `fills`, `trades` and `equity`, and `payments` where something was traded on
 * margin; of a sweep `results` and `equity`, of a walk-forward `folds` and `equity`. Gives their absolute
 * paths. Throws `file-unwritable`.
 */
export async function exportTables(
  given: BacktestRun | SweepResult | WalkForwardResult,
  folder: string,
  formats: readonly TableFormat[] = TABLE_FORMATS,
): Promise<readonly string[]> {
  const into = madeFolder(checked(given, folder, formats));
  const paths: string[] = [];
  const replaced = (file: string, write: (fresh: string) => void): void => {
    paths.push(join(into, file));
    replaceFile(join(into, file), write);
  };
  for (const format of formats) {
    // Its writer is loaded by who asks for it.
    const parquet = format === 'csv' ? undefined : await import('../../backtest/parquet.ts');
    if (isRun(given)) {
      const writer: TableFileWriter = parquet?.writeRunParquet ?? writeCsv;
      writeTables(
        given.result,
        (name) => `${name}.${format}`,
        (file, columns, rows) => {
          replaced(file, (fresh) => {
            writer(fresh, columns, rows);
          });
        },
      );
      continue;
    }
    const write: TableWriter = (name, columns, rows) => {
      replaced(`${name}.${format}`, (fresh) => {
        if (parquet === undefined) writeLines(fresh, csvLines(columns, rows));
        else parquet.writeParquet(fresh, columns, rows);
      });
    };
    if (isSweepResult(given)) sweepTables(given, write);
    else walkForwardTables(given, write);
  }
  return paths;
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

function madeFolder(folder: string): string {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new MillraceError(
      'file-unwritable',
      `${path} could not be made (${messageOf(cause)}). Choose another folder.`,
      { where: path, cause },
    );
  }
  return path;
}
