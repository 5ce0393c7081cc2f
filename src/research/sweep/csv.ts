import { MillraceError } from '../../model/errors.ts';
import { csvLines } from '../export/csv-lines.ts';
import { recordsOf, sweepColumns } from '../export/sweep-columns.ts';
import { isSweepResult, type SweepResult } from './options.ts';

/**
 * The rows of a sweep as CSV, for notebooks: `p_NAME` are the varied parameters, `m_NAME` the
 * metrics, `m_NAME_exact` those in money with all their digits. The same sweep gives the same text.
 * Absent values are empty.
 */
export function sweepCsv(result: SweepResult): string {
  if (!isSweepResult(result))
    throw new MillraceError('usage', 'sweepCsv takes the result of a sweep.');
  return `${[...csvLines(sweepColumns(result), recordsOf(result))].join('\n')}\n`;
}
