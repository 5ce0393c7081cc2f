/** Type of a table column. `time` is ISO 8601. */
export type ColumnKind = 'text' | 'double' | 'integer' | 'boolean' | 'time';

/** A column of a table, and its value for a row: nothing and `null` are no value. */
export interface TableColumn<T> {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly read: (row: T) => unknown;
}

/** Columns of an exact decimal: a double for computations, and its text. */
export const decimalColumns = <T>(
  name: string,
  read: (row: T) => unknown,
): readonly TableColumn<T>[] => [
  { name, kind: 'double', read },
  { name: `${name}_exact`, kind: 'text', read },
];
