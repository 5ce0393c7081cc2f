import { csvCell, type CsvCell } from '../../backtest/csv.ts';
import type { ColumnKind, TableColumn } from '../../backtest/table-column.ts';

/** The lines of a table as CSV, the names first, made as they are asked for. */
export function* csvLines<T>(
  columns: readonly TableColumn<T>[],
  rows: Iterable<T>,
): Iterable<string> {
  yield columns.map(({ name }) => csvCell(name)).join(',');
  for (const row of rows) {
    yield columns.map(({ kind, read }) => csvCell(valueOf(kind, read(row)))).join(',');
  }
}

/** Money stands in the results as text; its column of doubles has what a double holds of it. */
const valueOf = (kind: ColumnKind, value: unknown): CsvCell =>
  kind === 'double' && typeof value === 'string' ? Number(value) : (value as CsvCell);
