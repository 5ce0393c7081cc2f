import { join } from 'node:path';
import { writeCsv } from '../../backtest/csv.ts';
import type { BacktestResult } from '../../backtest/result.ts';
import {
  RUN_COLUMNS,
  writeTables,
  type MetricRow,
  type RunTables,
} from '../../backtest/run-tables.ts';
import { exactFigures } from '../sweep/objective.ts';
import { dailyReturns, RETURN_PLACES } from './daily-returns.ts';
import type { ExportForm } from './forms.ts';
import { writeFreqtrade } from './freqtrade.ts';
import type { Writing } from './new-files.ts';

/** Written files, and notes for their reader. */
export interface Exported extends Writing {
  readonly notes: readonly string[];
}

/**
 * Writes a run into a folder in one form. Throws `export-unsupported` if the run has no such form,
 * and the errors of its tables and of the disk.
 */
export async function exportRun(
  result: BacktestResult,
  tables: RunTables,
  form: ExportForm,
  into: string,
): Promise<Exported> {
  if (form === 'freqtrade') return writeFreqtrade(result, tables.trades, into);
  if (form === 'quantstats') {
    const columns = ['date', 'returns', 'equity'] as const;
    writeCsv(join(into, 'returns.csv'), columns, dailyReturns(tables.equity));
    const { equityCurrency, sampleUs } = result.plan;
    return { files: ['returns.csv'], notes: [returnsNote(equityCurrency, sampleUs)] };
  }
  const files = await exportRunTables(result, tables, form, into);
  return { files, absent: absentTables(files, form), notes: [] };
}

/** Table files of another result's export. */
export const absentTables = (
  files: readonly string[],
  form: 'parquet' | 'csv',
): readonly string[] =>
  [...Object.keys(RUN_COLUMNS), 'holdings', 'results', 'folds']
    .map((name) => `${name}.${form}`)
    .filter((file) => !files.includes(file));

const returnsNote = (currency: string, sampleUs: number): string =>
  `A return is that of a day in UTC, of the equity in ${currency} at its last sample up to midnight (one each ${sampleUs / 1_000_000} s), to ${RETURN_PLACES} decimals, half to even. The first and the last day may be partial.`;

/** Writes the tables of a run, its balances and its metrics; returns the names of the files. */
export async function exportRunTables(
  result: BacktestResult,
  tables: RunTables,
  form: 'parquet' | 'csv',
  into: string,
): Promise<readonly string[]> {
  // The Parquet writer is loaded on demand.
  const writer =
    form === 'csv' ? writeCsv : (await import('../../backtest/parquet.ts')).writeRunParquet;
  const files: string[] = [];
  const all = { ...tables, balances: result.balances, metrics: metricRows(result) };
  writeTables(
    all,
    (name) => {
      files.push(`${name}.${form}`);
      return join(into, `${name}.${form}`);
    },
    writer,
  );
  return files;
}

/** Figures of a run by their names in a sweep. */
function metricRows(result: BacktestResult): readonly MetricRow[] {
  return Array.from(exactFigures(result), ([metric, value]) => ({
    metric,
    value: value === null ? null : String(value),
  }));
}
