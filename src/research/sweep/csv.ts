import { rowFigures } from './objective.ts';
import type { SweepResult, SweepRow } from './options.ts';

/**
 * The rows of a sweep as CSV, for notebooks: `p_NAME` are the parameters that vary, `m_NAME` the metrics.
 * The same sweep gives the same text. What a run has not is empty.
 */
export function sweepCsv({ rows }: SweepResult): string {
  const parameters = [...new Set(rows.flatMap((row) => Object.keys(row.parameters)))];
  const figures = rows.map(rowFigures);
  const metrics = [...new Set(figures.flatMap((each) => [...each.keys()]))];
  const head = [
    ...['index', 'strategy', 'market', 'state', 'objective', 'hash', 'constraint'],
    ...['error_code', 'error_message'],
    ...parameters.map((name) => `p_${name}`),
    ...metrics.map((name) => `m_${name}`),
  ];
  const lines = rows.map((row, index) => [
    ...fixed(row),
    ...parameters.map((name) => row.parameters[name]),
    ...metrics.map((name) => figures[index].get(name)),
  ]);
  return csvText([head, ...lines]);
}

/** Rows of cells as text. */
export const csvText = (rows: readonly (readonly unknown[])[]): string =>
  `${rows.map((cells) => cells.map(cell).join(',')).join('\n')}\n`;

const fixed = (row: SweepRow): readonly unknown[] => [
  ...[row.index, row.strategy, row.market, row.state, row.objective, row.hash, row.constraint],
  ...[row.fault?.code, row.fault?.message],
];

/** As RFC 4180 has it. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
