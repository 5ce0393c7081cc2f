import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOfCell, writeCsv } from '../../../src/backtest/csv.ts';
import {
  fieldKind,
  RUN_COLUMNS,
  tablesOf,
  writeTables,
  type RunField,
  type RunTableName,
  type RunTables,
} from '../../../src/backtest/run-tables.ts';
import { storedTables } from '../../../src/backtest/stored-tables.ts';
import { isoTime, micros } from '../../../src/platform/time.ts';
import { exportRunTables } from '../../../src/research/export/run-export.ts';
import { walkedResult } from '../../kit/backtest-result.ts';
import { query, type Cells } from '../../kit/reading.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { runs, seed } from '../../kit/size.ts';

const RESULT = { ...walkedResult({ minutes: 60 }), payments: { total: 0, rows: [] } };
const NAMES = ['orders', 'fills', 'trades', 'equity', 'payments'] as const;

const VALUES: Readonly<Record<ReturnType<typeof fieldKind>, fc.Arbitrary<unknown>>> = {
  // A text may hold whatever CSV itself is made of.
  text: fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', ' ', 'a', '0', '€', '🙂', '=', '-', "'"),
    minLength: 1,
    maxLength: 12,
  }),
  decimal: fc
    .tuple(
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
      fc.stringMatching(/^\.\d{0,11}[1-9]$/),
    )
    .map(([whole, fraction]) => `${whole}${fraction}`),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  integer: fc.integer({ min: 0 }),
  boolean: fc.boolean(),
  time: fc.integer({ min: 0, max: 4_102_444_800_000_000 }).map((us) => isoTime(micros(us))),
};

const rowsOf = (name: RunTableName): fc.Arbitrary<Cells[]> =>
  fc.array(
    fc.record(
      Object.fromEntries(
        RUN_COLUMNS[name].map((column: RunField) => [
          column,
          column === 'order'
            ? VALUES.text
            : fc.option(VALUES[fieldKind(column)], { nil: null, freq: 4 }),
        ]),
      ),
    ),
    { maxLength: 12 },
  );

const TABLES = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, rowsOf(name)])),
) as fc.Arbitrary<Record<(typeof NAMES)[number], Cells[]>>;

/** A result that says of its tables what they are. */
function resultOf(tables: Record<(typeof NAMES)[number], Cells[]>) {
  const limited = (rows: Cells[]) => ({ total: rows.length, rows: [] });
  const { orders, fills, trades, equity, payments } = tables;
  const column = (name: string): string[] => equity.map((each) => each[name] as string);
  return {
    ...RESULT,
    ...{ orderHistory: limited(orders), fills: limited(fills), trades: limited(trades) },
    ...{ payments: limited(payments) },
    series: { ...RESULT.series, at: column('at'), equity: column('equity') },
  };
}

test('the tables of a folder are read back as they were written, whatever texts they hold', () => {
  fc.assert(
    fc.property(TABLES, (tables) => {
      const folder = temporaryFolder();
      const given = tables as unknown as RunTables;
      writeTables(given, (name) => join(folder, `${name}.csv`), writeCsv);
      const stored = storedTables(folder, resultOf(tables));
      for (const name of NAMES) expect([...(stored[name] ?? [])], name).toEqual(tables[name]);
    }),
    { numRuns: runs(300), seed: seed(93) },
  );
});

/** A column in a type that both forms come to. */
function common(column: RunField, form: 'csv' | 'parquet'): string {
  const kind = fieldKind(column);
  if (kind === 'decimal')
    return form === 'csv' ? `"${column}"` : `"${column}_exact" AS "${column}"`;
  if (kind === 'text') return `"${column}"`;
  if (kind === 'time') return `epoch_us(CAST("${column}" AS TIMESTAMPTZ)) AS "${column}"`;
  const type = { double: 'DOUBLE', integer: 'BIGINT', boolean: 'BOOLEAN' }[kind];
  return `CAST("${column}" AS ${type}) AS "${column}"`;
}

/** A cell without the apostrophe that keeps text from being a formula. */
const plain = ([column, value]: readonly [string, unknown]): readonly [string, unknown] => [
  column,
  typeof value === 'string' && fieldKind(column as RunField) === 'text' ? textOfCell(value) : value,
];

test('CSV and Parquet of any run have the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(TABLES, async (tables) => {
      const folder = temporaryFolder();
      const given = { ...tables, balances: RESULT.balances } as unknown as RunTables;
      for (const form of ['csv', 'parquet'] as const) {
        await exportRunTables(RESULT, given, form, folder);
      }
      for (const name of [...NAMES, 'balances', 'metrics'] as const) {
        const read = (form: 'csv' | 'parquet', from: string): Promise<readonly Cells[]> => {
          const columns = RUN_COLUMNS[name].map((column) => common(column, form));
          return query(`SELECT ${columns.join(', ')} FROM ${from}`);
        };
        const path = join(folder, name);
        const settings = `all_varchar = true, header = true, delim = ',', quote = '"', escape = '"'`;
        const cells = await read('csv', `read_csv('${path}.csv', ${settings})`);
        const csv = cells.map((row) => Object.fromEntries(Object.entries(row).map(plain)));
        expect(csv, name).toEqual(await read('parquet', `'${path}.parquet'`));
      }
    }),
    { numRuns: runs(60), seed: seed(94) },
  );
});

test('the tables of a result are as often as they are asked for', () => {
  const { fills } = tablesOf(RESULT);
  expect([...fills]).toEqual([...fills]);
  expect([...fills].length).toBe(RESULT.fills.total);
});
