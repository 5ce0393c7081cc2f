import { crc32 } from 'node:zlib';
import { parseDecimal, type Decimal } from '../../model/decimal.ts';
import type { JournalFile } from './file.ts';
import type { Row } from './statement.ts';

/** What a column holds. */
export type Column = string | number | null;

/** All tables, each with a checksum as its last column. */
export const TABLES = [
  ...['facts', 'instruments', 'orders', 'fills', 'holdings', 'entries', 'counters', 'balances'],
  ...['states', 'day_starts', 'events', 'foreign_fills', 'foreign_orders', 'intended'],
];

/** Tables whose first column is a number that the insert gives: it is no part of the checksum. */
const NUMBERED: ReadonlySet<string> = new Set(['events', 'intended']);

/** The values of a row with its checksum behind them, as every table of the journal has it last. */
export const withChecksum = (table: string, values: readonly Column[]): Column[] => [
  ...values,
  checksumOf(table, values),
];

/**
 * Reads a row as it stands in the file, checksum last. Throws `journal-invalid`, with table and
 * row, where the checksum is that of another row or `read` throws. A row that an older release
 * wrote has none.
 */
export function readRow<T>(
  file: Pick<JournalFile, 'damaged'>,
  table: string,
  row: Row,
  read: () => T,
): T {
  const values = Object.values(row);
  const checksum = values.pop();
  const summed = NUMBERED.has(table) ? values.slice(1) : values;
  const name = `the row "${String(values[0])}" of the table ${table}`;
  if (checksum !== null && checksum !== checksumOf(table, summed as Column[])) {
    throw file.damaged(`${name} does not match its checksum`);
  }
  try {
    return read();
  } catch (error) {
    throw file.damaged(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A whole number of at least `least`; throws a RangeError for everything else. */
export function whole(column: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${column} is ${String(value)}`);
}

/** An amount of decimal text; throws a RangeError for everything else, NaN too. */
export function amountOf(column: string, value: unknown): Decimal {
  const amount = typeof value === 'string' ? parseDecimal(value) : undefined;
  if (amount !== undefined) return amount;
  throw new RangeError(`${column} is ${String(value)}`);
}

const checksumOf = (table: string, values: readonly Column[]): number =>
  crc32(JSON.stringify([table, ...values]));
