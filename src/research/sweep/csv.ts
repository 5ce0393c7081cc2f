import { csvCell, type CsvCell } from '../../backtest/csv.ts';
import { MillraceError } from '../../model/errors.ts';
import { recordsOf, sweepColumns } from '../export/sweep-columns.ts';
import { isSweepResult, type SweepResult } from './options.ts';

/**
 * The rows of a sweep as CSV, for notebooks: `p_NAME` are the parameters that vary, `m_NAME` the metrics,
 * `m_NAME_exact` those that are money with all their digits. The same sweep gives the same text. What a
 * run has not is empty.
 */
export function sweepCsv(result: SweepResult): string {
  if (!isSweepResult(result))
    throw new MillraceError('usage', 'sweepCsv takes the result of a sweep.');
  const columns = sweepColumns(result);
  const lines = [columns.map(({ name }) => csvCell(name)).join(',')];
  for (const record of recordsOf(result)) {
    lines.push(columns.map(({ kind, read }) => csvCell(valueOf(kind, read(record)))).join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** Money stands in the results as text; its column of doubles has what a double holds of it. */
const valueOf = (kind: string, value: unknown): CsvCell =>
  kind === 'double' && typeof value === 'string' ? Number(value) : (value as CsvCell);

/** Rows of cells as text. */
export const csvText = (rows: readonly (readonly unknown[])[]): string =>
  `${rows.map((cells) => cells.map((cell) => csvCell(cell as CsvCell)).join(',')).join('\n')}\n`;
