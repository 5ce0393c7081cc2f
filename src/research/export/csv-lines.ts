import { csvCell, type CsvCell } from '../../backtest/csv.ts';
import type { ColumnKind, TableColumn } from '../../backtest/table-column.ts';

/** Lines of a table as CSV, with a header, made during the iteration. */
export function* csvLines<T>(
  columns: readonly TableColumn<T>[],
  rows: Iterable<T>,
): Iterable<string> {
  yield columns.map(({ name }) => csvCell(name)).join(',');
  for (const row of rows) {
    yield columns.map(({ kind, read }) => csvCell(valueOf(kind, read(row)))).join(',');
  }
}

/** Money is text in the results; its column of doubles has the nearest double. */
const valueOf = (kind: ColumnKind, value: unknown): CsvCell =>
  kind === 'double' && typeof value === 'string' ? Number(value) : (value as CsvCell);
