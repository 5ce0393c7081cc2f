import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeCsv } from '../../backtest/csv.ts';
import { writeTables, type TableFileWriter } from '../../backtest/run-tables.ts';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { isRun, type BacktestRun } from '../backtest.ts';
import { sweepCsv } from '../sweep/csv.ts';
import { isSweepResult, type SweepResult } from '../sweep/options.ts';
import { replaceFile } from './replace-file.ts';
import { recordsOf, sweepColumns } from './sweep-columns.ts';

/** The formats of tables. */
export const TABLE_FORMATS = ['csv', 'parquet'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/**
 * Writes every row of a run or of a sweep for notebooks and databases, in place of files that are there: of
 * a run `orders`, `fills`, `trades` and `equity`, and `payments` where something was traded on margin; of a
 * sweep `results`. Gives their absolute paths. Throws `file-unwritable`.
 */
export async function exportTables(
  given: BacktestRun | SweepResult,
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
    } else if (parquet === undefined) {
      replaced('results.csv', (fresh) => {
        writeFileSync(fresh, sweepCsv(given));
      });
    } else {
      replaced('results.parquet', (fresh) => {
        parquet.writeParquet(fresh, sweepColumns(given), recordsOf(given));
      });
    }
  }
  return paths;
}

function checked(given: unknown, folder: unknown, formats: unknown): string {
  const known: readonly unknown[] = TABLE_FORMATS;
  const isRight =
    (isRun(given) || isSweepResult(given)) &&
    typeof folder === 'string' &&
    folder !== '' &&
    Array.isArray(formats) &&
    formats.every((format) => known.includes(format));
  if (isRight) return folder;
  throw new MillraceError(
    'usage',
    'exportTables takes what backtest or sweep gave, a folder, and formats: csv, parquet or both.',
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
