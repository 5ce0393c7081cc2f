import { crc32 } from 'node:zlib';
import { parseDecimal, type Decimal } from '../../model/decimal.ts';
import { MARGIN_MODES, type MarginMode } from '../../model/margin-terms.ts';
import type { JournalFile, Row } from './file.ts';
import { errorText } from '../../model/errors.ts';

/** A column's value. */
export type Column = string | number | null;

/** All tables, each with a checksum after the columns that existed when checksums were added. */
export const TABLES = [
  ...['facts', 'instruments', 'orders', 'fills', 'holdings', 'entries', 'counters', 'balances'],
  ...['states', 'day_starts', 'events', 'foreign_fills', 'foreign_orders', 'intended'],
  ...['margin_accounts', 'margin_carries'],
];

/** How many columns each step of a table's form put behind its checksum, oldest first. */
const LATER: Readonly<Record<string, readonly number[]>> = {
  orders: [2, 5],
  fills: [1],
  foreign_fills: [1],
};

/** Tables whose first column is a generated number, which the checksum does not cover. */
const NUMBERED: ReadonlySet<string> = new Set(['events', 'intended']);

/**
 * The values of a row followed by its checksum and the `later` ones of columns added after it. These count
 * up to the last migration that set one of them, so that a row without them keeps its checksum.
 */
export const withChecksum = (
  table: string,
  values: readonly Column[],
  later: readonly Column[] = [],
): Column[] => [...values, checksumOf(table, [...values, ...counted(table, later)]), ...later];

/** Puts a row with its checksum into a table; `verb` says what becomes of one with the same key. */
export function insertRow(
  file: Pick<JournalFile, 'run'>,
  table: string,
  values: readonly Column[],
  later: readonly Column[] = [],
  verb: 'INSERT' | 'INSERT OR IGNORE' | 'INSERT OR REPLACE' = 'INSERT',
): void {
  const columns = withChecksum(table, values, later);
  file.run(`${verb} INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`, ...columns);
}

function counted(table: string, later: readonly Column[]): readonly Column[] {
  let count = 0;
  let end = 0;
  for (const columns of LATER[table] ?? []) {
    const step = later.slice(end, end + columns);
    end += columns;
    if (step.some((value) => value !== null)) count = end;
  }
  return later.slice(0, count);
}

/**
 * Reads a row from the file. Throws `journal-invalid`, with table and row, if the checksum does not match
 * or `read` throws. Rows of older releases have no checksum.
 */
export function readRow<T>(
  file: Pick<JournalFile, 'damaged'>,
  table: string,
  row: Row,
  read: () => T,
): T {
  const columns = Object.values(row) as Column[];
  const at = Object.keys(row).indexOf('checksum');
  const checksum = columns[at];
  const values = columns.slice(NUMBERED.has(table) ? 1 : 0, at);
  const name = `the row "${String(columns[0])}" of the table ${table}`;
  const summed = [...values, ...counted(table, columns.slice(at + 1))];
  if (checksum !== null && checksum !== checksumOf(table, summed)) {
    throw file.damaged(`${name} does not match its checksum`);
  }
  try {
    return read();
  } catch (error) {
    throw file.damaged(`${name}: ${errorText(error)}`);
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

/** A margin mode; throws a RangeError for everything else. */
export function modeOf(value: unknown): MarginMode {
  const mode = MARGIN_MODES.find((one) => one === value);
  if (mode !== undefined) return mode;
  throw new RangeError(`margin is ${String(value)}`);
}

const checksumOf = (table: string, values: readonly Column[]): number =>
  crc32(JSON.stringify([table, ...values]));
