import { fileWriter, parquetWriteRows } from 'hyparquet-writer';
import { parseIsoTime } from '../platform/time.ts';
import { fieldKind, type RunField, type TableFileWriter } from './run-tables.ts';
import { decimalColumns, type ColumnKind, type TableColumn } from './table-column.ts';

/** Rows per row group, which bound the memory for a file of any length. */
const GROUP_ROWS = 50_000;

/**
 * Writes rows as Parquet, group by group, replacing an existing file. Throws the errors of the
 * disk.
 */
export function writeParquet<T>(
  path: string,
  columns: readonly TableColumn<T>[],
  rows: Iterable<T>,
): void {
  const encoders = columns.map(({ name, kind, read }) => ({ name, read, encode: ENCODERS[kind] }));
  const encoded = (row: T): Record<string, unknown> => {
    const fields: Record<string, unknown> = {};
    for (const { name, read, encode } of encoders) {
      const value = read(row);
      fields[name] = value === null || value === undefined ? null : encode(value);
    }
    return fields;
  };
  const writing = parquetWriteRows({
    writer: fileWriter(path),
    rows: Iterator.from(rows).map(encoded),
    columns: columns.map(({ name }) => ({ name })),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, kind }) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...TYPES[kind],
      })),
    ],
    rowGroupSize: GROUP_ROWS,
    createdBy: 'millrace',
  });
  if (writing !== undefined) throw new Error('A file is written at once.');
}

const TYPES = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  double: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
} as const satisfies Readonly<Record<ColumnKind, object>>;

const ENCODERS: Readonly<Record<ColumnKind, (value: unknown) => unknown>> = {
  text: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  double: Number,
  integer: (value) => BigInt(value as number),
  boolean: (value) => value,
  time: (value) => {
    const at = parseIsoTime(value as string);
    return at === undefined ? null : BigInt(at);
  },
};

/** Writes rows of a run's table: `NAME` of an exact decimal is a double, `NAME_exact` its text. */
export const writeRunParquet: TableFileWriter = <T extends object>(
  path: string,
  fields: readonly (keyof T & RunField)[],
  rows: Iterable<T>,
): void => {
  const columns = fields.flatMap((name): readonly TableColumn<T>[] => {
    const kind = fieldKind(name);
    const read = (row: T): unknown => row[name];
    return kind === 'decimal' ? decimalColumns(name, read) : [{ name, kind, read }];
  });
  writeParquet(path, columns, rows);
};
