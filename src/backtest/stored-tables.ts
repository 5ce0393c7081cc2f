import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { messageOf } from '../config/excerpt.ts';
import { fieldsOf } from '../feeds/importers/csv.ts';
import { MillraceError } from '../model/errors.ts';
import { parseIsoTime } from '../platform/time.ts';
import { textOfCell } from './csv.ts';
import type { BacktestResult } from './result.ts';
import {
  RUN_COLUMNS,
  fieldKind,
  type RunField,
  type RunTableName,
  type RunTables,
} from './run-tables.ts';
import { invalid } from './stored-result.ts';
import type { EquityRow } from './tables/equity-series.ts';

const CHUNK_BYTES = 1 << 17;

/**
 * Tables of a run from the CSV files of its folder, read row by row at each use. Reading throws
 * `file-missing`, and `result-invalid` if a file contradicts `result`.
 */
export function storedTables(folder: string, result: BacktestResult): RunTables {
  const { orderHistory, fills, trades, payments, series } = result;
  const rows = <T>(name: RunTableName, total: number): Iterable<T> => {
    const path = join(folder, `${name}.csv`);
    return counted(path, total, rowsOf<T>(path, RUN_COLUMNS[name]));
  };
  const equity = join(folder, 'equity.csv');
  return {
    orders: rows('orders', orderHistory.total),
    fills: rows('fills', fills.total),
    trades: rows('trades', trades.total),
    equity: ending(equity, series, rowsOf<EquityRow>(equity, RUN_COLUMNS.equity)),
    ...(payments && { payments: rows('payments', payments.total) }),
  };
}

/** Checks that there are as many rows as the result has. */
function counted<T>(path: string, total: number, rows: Iterable<T>): Iterable<T> {
  return {
    *[Symbol.iterator]() {
      let count = 0;
      for (const row of rows) {
        count += 1;
        yield row;
      }
      if (count !== total) throw differs(path, `${count} rows`, `${total}`);
    },
  };
}

/** Checks that the last row is the last point of the result. */
function ending(
  path: string,
  { at, equity }: BacktestResult['series'],
  rows: Iterable<EquityRow>,
): Iterable<EquityRow> {
  return {
    *[Symbol.iterator]() {
      let last: EquityRow | undefined;
      for (const row of rows) {
        last = row;
        yield row;
      }
      if (last?.at === at.at(-1) && last?.equity === equity.at(-1)) return;
      throw differs(path, `equity to ${last?.at ?? 'no time'}`, at.at(-1) ?? 'none');
    },
  };
}

const differs = (path: string, found: string, expected: string): MillraceError =>
  invalid(
    path,
    `${path} has ${found}, and result.json beside it ${expected}: a file was changed or cut off. Run the backtest again.`,
  );

function rowsOf<T>(path: string, columns: readonly RunField[]): Iterable<T> {
  const kinds = columns.map(fieldKind);
  return {
    *[Symbol.iterator]() {
      let line = 0;
      for (const fields of csvRows(path)) {
        line += 1;
        if (line === 1) {
          if (fields.join(',') === columns.join(',')) continue;
          throw invalid(
            path,
            `${path} has other columns than this release writes. Run the backtest again.`,
          );
        }
        const row: Partial<Record<RunField, unknown>> = {};
        const isWhole = fields.length === columns.length;
        for (const [index, column] of columns.entries()) {
          const text = fields[index] ?? '';
          const value = READERS[kinds[index]](text);
          if (!isWhole || (value === undefined && text !== '')) {
            throw invalid(
              path,
              `Row ${line} of ${path} is damaged: ${column} is "${text}". Run the backtest again.`,
            );
          }
          // The order of a forced fill may have no id, which is not a missing value.
          row[column] = value ?? (column === 'order' ? '' : null);
        }
        yield row as T;
      }
    },
  };
}

const number = (text: string): number | undefined => {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? value : undefined;
};

/** A value from its text; `undefined` for invalid text. */
const READERS = {
  text: (text: string) => (text === '' ? undefined : textOfCell(text)),
  decimal: (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined),
  time: (text: string) => (parseIsoTime(text) === undefined ? undefined : text),
  double: number,
  integer: number,
  boolean: (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined),
} as const;

/** Rows of a CSV file with their fields, in little memory however long it is. */
function* csvRows(path: string): Iterable<readonly string[]> {
  let row = '';
  for (const line of linesOf(path)) {
    row += line;
    // Within quotation marks a line break is text.
    if (row.split('"').length % 2 === 0) {
      row += '\n';
      continue;
    }
    yield fieldsOf(row, ',');
    row = '';
  }
  if (row !== '') throw invalid(path, `${path} ends within a row. Run the backtest again.`);
}

function* linesOf(path: string): Iterable<string> {
  const file = opened(path);
  try {
    const bytes = Buffer.alloc(CHUNK_BYTES);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      const lines = (rest + decoder.write(bytes.subarray(0, read))).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') throw invalid(path, `${path} ends within a row. Run the backtest again.`);
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new MillraceError(
      'file-missing',
      `${path} cannot be read (${messageOf(cause)}). All tables of a run lie beside its result.json: run the backtest again.`,
      { where: path, cause },
    );
  }
}
