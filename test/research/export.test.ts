import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeParquet } from '../../src/backtest/parquet.ts';
import { everySample } from '../../src/backtest/tables/equity-series.ts';
import { everyRow } from '../../src/backtest/tables/row-table.ts';
import type { ColumnKind } from '../../src/backtest/table-column.ts';
import { backtest, type BacktestRun } from '../../src/research/backtest.ts';
import { exportTables } from '../../src/research/export/tables.ts';
import type { SweepResult } from '../../src/research/sweep/options.ts';
import { sweep } from '../../src/research/sweep/sweep.ts';
import type { WalkForwardResult } from '../../src/research/walk-forward/options.ts';
import { walkForward } from '../../src/research/walk-forward/walk-forward.ts';
import { parseIsoTime } from '../../src/platform/time.ts';
import { runs, seed } from '../kit/size.ts';

const SETTINGS = {
  strategy: 'ema-cross',
  recordings: ['config/sample/BTCUSDT.arrow'],
  balances: { USDT: '10000' },
};

const PYTHON = '/usr/bin/python3';
const hasPandas = spawnSync(PYTHON, ['-c', 'import pandas']).status === 0;
if (!hasPandas) {
  process.stdout.write(`skipped: nothing is opened with pandas, ${PYTHON} has none\n`);
}

type Cells = Readonly<Record<string, unknown>>;

let database: DuckDBInstance;
let connection: DuckDBConnection;

/** What DuckDB answers: whole numbers as bigint where the column is one. */
const query = async (sql: string): Promise<readonly Cells[]> =>
  (await connection.runAndReadAll(sql)).getRowObjects();

/** What a script prints as JSON, each double with all its digits. */
function python(script: string, cwd: string): unknown {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', script], { cwd, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

const folder = mkdtempSync(join(tmpdir(), 'millrace-export-'));
afterAll(() => {
  connection.closeSync();
  database.closeSync();
  rmSync(folder, { recursive: true });
});
let swept: SweepResult;
let run: BacktestRun;
let walked: WalkForwardResult;

beforeAll(async () => {
  database = await DuckDBInstance.create(':memory:');
  connection = await database.connect();
  swept = await sweep({
    backtest: SETTINGS,
    vary: { fast: [3, 5, 900_000], slow: [12, 24], period: ['M1'] },
    objective: 'profit',
    constraints: ['trades.count >= 4'],
    workers: 0,
    store: join(folder, 'sweep.sqlite'),
  });
  run = await backtest({ ...SETTINGS, parameters: { fast: 3, slow: 12 } });
  walked = await walkForward({
    backtest: SETTINGS,
    vary: { fast: [3, 5] },
    objective: 'profit',
    workers: 0,
    train: '3h',
    test: '2h',
  });
  await exportTables(swept, folder);
  await exportTables(swept, join(folder, 'sweep-equity'));
  await exportTables(run, folder);
}, 120_000);

/** The columns that the tests compare, as the result has them. */
const expectedRows = (): readonly Cells[] =>
  swept.rows.map(({ index, state, objective, hash, key, parameters, metrics, orders }) => ({
    index,
    state,
    objective,
    hash,
    key,
    p_fast: parameters['fast'],
    p_slow: parameters['slow'],
    p_period: parameters['period'],
    m_profit: metrics === null ? null : Number(metrics.profit),
    m_profit_exact: metrics?.profit ?? null,
    'm_drawdown.maxRatio': metrics?.drawdown.maxRatio ?? null,
    'm_trades.count': metrics?.trades.count ?? null,
    'm_orders.fills': orders?.fills ?? null,
    'm_fees.worth_exact': metrics?.fees.value ?? null,
  }));

const NAMES = (): readonly string[] => Object.keys(expectedRows()[0]);
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Whole numbers of both sides as numbers. */
const plain = (rows: readonly Cells[]): readonly Cells[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? Number(value) : value,
      ]),
    ),
  );

describe('the tables of a sweep', () => {
  test('have a run that is ranked, one that breaks a constraint and one that the schema refuses', () => {
    expect(Object.values(swept.counts).reduce((sum, each) => sum + each)).toBe(6);
    expect(swept.counts.invalid).toBe(2);
    expect(swept.counts.done).toBeGreaterThan(0);
  });

  test('are the same to the digit in DuckDB, from Parquet and from CSV', async () => {
    const from = (file: string): string =>
      `SELECT ${quoted(NAMES())} FROM ${file} ORDER BY "index"`;
    const parquet = await query(from(`'${folder}/results.parquet'`));
    expect(plain(parquet)).toEqual(expectedRows());
    const exact = "{'m_profit_exact': 'VARCHAR', 'm_fees.worth_exact': 'VARCHAR'}";
    const csv = await query(from(`read_csv('${folder}/results.csv', types = ${exact})`));
    expect(plain(csv)).toEqual(expectedRows());
  });

  test('have typed parameters, symbol and period, and the sweep that they are of', async () => {
    const [types] = await query(
      `SELECT typeof(p_fast) AS fast, typeof(p_period) AS period, typeof(m_profit) AS profit,
        typeof(period_from) AS "from", symbol, sweep, epoch_us(period_from) AS at
       FROM '${folder}/results.parquet'`,
    );
    const { id, markets } = swept.definition;
    expect(types).toEqual({
      fast: 'BIGINT',
      period: 'VARCHAR',
      profit: 'DOUBLE',
      from: 'TIMESTAMP WITH TIME ZONE',
      symbol: 'BTCUSDT',
      sweep: id,
      at: BigInt(parseIsoTime(markets[0].from) ?? 0),
    });
  });

  test.skipIf(!hasPandas)('are the same to the digit in pandas, from CSV and from SQLite', () => {
    const csv = python(
      `import json, pandas
frame = pandas.read_csv('results.csv', float_precision='round_trip',
  dtype={'m_profit_exact': str, 'm_fees.worth_exact': str})
frame = frame[${JSON.stringify(NAMES())}].astype(object)
print(json.dumps(frame.where(frame.notnull(), None).to_dict('records')))`,
      folder,
    );
    expect(csv).toEqual(expectedRows());
    const stored = python(
      `import json, pandas, sqlite3
frame = pandas.read_sql('SELECT key, hash, figures FROM run ORDER BY key', sqlite3.connect('sweep.sqlite'))
frame['profit'] = frame.figures.map(lambda text: json.loads(text)['metrics']['profit'])
print(json.dumps(frame[['key', 'hash', 'profit']].to_dict('records')))`,
      folder,
    );
    const expected = swept.rows
      .filter(({ key }) => key !== null)
      .map(({ key, hash, metrics }) => ({ key, hash, profit: metrics?.profit }))
      .sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1));
    expect(stored).toEqual(expected);
  });
});

describe('the equity of a sweep', () => {
  test('is that of each ranked set, from 1 on, and ends as the metrics of the set', async () => {
    const ranked = new Set(swept.ranked.map(({ index }) => index));
    const rows = await query(
      `SELECT "index", count(*) AS n, first(equity ORDER BY "at") AS "from", last(equity ORDER BY "at") AS till
       FROM '${folder}/sweep-equity/equity.parquet' GROUP BY "index"`,
    );
    expect(new Set(plain(rows).map((row) => row['index']))).toEqual(ranked);
    for (const row of plain(rows)) {
      const { metrics } = swept.rows[Number(row['index'])];
      expect(row['n']).toBeGreaterThan(100);
      expect(row['from']).toBeCloseTo(1, 3);
      // Returns are kept as 32-bit floats.
      expect(Number(row['till']) - 1).toBeCloseTo(metrics?.totalReturn ?? Number.NaN, 4);
    }
    const csv = await query(
      `SELECT * FROM read_csv('${folder}/sweep-equity/equity.csv') EXCEPT SELECT * FROM '${folder}/sweep-equity/equity.parquet'`,
    );
    expect(csv).toEqual([]);
  });
});

describe('the tables of a walk-forward', () => {
  test('have every set of every fold and the stitched equity, the same in CSV and Parquet', async () => {
    const into = join(folder, 'walk');
    await exportTables(walked, into);
    const rows = await query(
      `SELECT fold, part, chosen, "index", objective, hash, p_fast, "m_profit_exact" AS profit, epoch_us(period_from) AS "from"
       FROM '${into}/folds.parquet'`,
    );
    expect(plain(rows)).toEqual(
      walked.folds.flatMap((each) =>
        (['train', 'test'] as const).flatMap((part) =>
          (part === 'train' ? each.trained : each.tested).map((row) => ({
            fold: each.fold,
            part,
            chosen: row.index === each.chosen?.index,
            index: row.index,
            objective: row.objective,
            hash: row.hash,
            p_fast: row.parameters['fast'],
            profit: row.metrics?.profit ?? null,
            from: parseIsoTime(each[part].from),
          })),
        ),
      ),
    );
    const equity = await query(
      `SELECT fold, epoch_us("at") AS "at", equity FROM '${into}/equity.parquet'`,
    );
    const { stitched } = walked;
    expect(plain(equity)).toEqual(
      [...stitched.at].map((at, row) => ({
        fold: stitched.fold[row],
        at,
        equity: stitched.equity[row],
      })),
    );
    const other = await query(
      `SELECT fold, part, "index", objective FROM read_csv('${into}/folds.csv') EXCEPT SELECT fold, part, "index", objective FROM '${into}/folds.parquet'`,
    );
    expect(other).toEqual([]);
  });
});

describe('the tables of a run', () => {
  test('are the same to the digit in DuckDB', async () => {
    const fills = [...everyRow(run.result.fills)];
    expect(fills.length).toBeGreaterThan(10);
    const read = await query(
      `SELECT epoch_us("at") AS "at", symbol, side, price, price_exact, size_exact, fee_exact, taker, "order", id
       FROM '${folder}/fills.parquet'`,
    );
    expect(plain(read)).toEqual(
      fills.map(({ at, symbol, side, price, size, fee, taker, order, id }) => ({
        at: parseIsoTime(at),
        symbol,
        side,
        price: Number(price),
        price_exact: price,
        size_exact: size,
        fee_exact: fee,
        taker,
        order,
        id,
      })),
    );
    const orders = await query(
      `SELECT "order", status, price_exact, filled_exact, epoch_us("endedAt") AS ended FROM '${folder}/orders.parquet'`,
    );
    expect(plain(orders)).toEqual(
      [...everyRow(run.result.orderHistory)].map((row) => ({
        order: row.order,
        status: row.status,
        price_exact: row.price,
        filled_exact: row.filled,
        ended: parseIsoTime(row.endedAt ?? '') ?? null,
      })),
    );
    const trades = await query(`SELECT net_exact, "return" FROM '${folder}/trades.parquet'`);
    expect(trades).toEqual(
      [...everyRow(run.result.trades)].map((row) => ({ net_exact: row.net, return: row.return })),
    );
    const equity = await query(`SELECT equity_exact, drawdown FROM '${folder}/equity.parquet'`);
    expect(equity).toEqual(
      [...everySample(run.result.series)].map((row) => ({
        equity_exact: row.equity,
        drawdown: row.drawdown,
      })),
    );
  });

  test.skipIf(!hasPandas)('sum to the metrics of the result in pandas', () => {
    const read = python(
      `import json, pandas
from decimal import Decimal
fills = pandas.read_csv('fills.csv', dtype=str)
equity = pandas.read_csv('equity.csv', dtype={'equity': str}, parse_dates=['at'])
print(json.dumps({'fills': len(fills), 'fees': str(sum(map(Decimal, fills.fee)).normalize()),
  'end': equity.equity.iloc[-1], 'utc': str(equity['at'].dt.tz)}))`,
      folder,
    );
    const { metrics, fills } = run.result;
    expect(read).toEqual({
      fills: fills.total,
      fees: metrics.fees.byCurrency['USDT'],
      end: metrics.equity.end,
      utc: 'UTC',
    });
  });

  test('say so where a folder cannot be made, and what is no result', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(exportTables(run, join(file, 'tables'))).rejects.toMatchObject({
      code: 'file-unwritable',
    });
    await expect(exportTables({} as never, folder)).rejects.toMatchObject({ code: 'usage' });
    await expect(exportTables(run, folder, ['xlsx' as never])).rejects.toMatchObject({
      code: 'usage',
    });
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});

test('a Parquet file gives back every cell, whatever it holds', async () => {
  interface Any {
    readonly a: string | null;
    readonly b: number | null;
    readonly c: number | null;
    readonly d: boolean | null;
  }
  const row = fc.record({
    a: fc.option(fc.string({ unit: 'grapheme' })),
    b: fc.option(fc.double({ noNaN: true })),
    c: fc.option(fc.maxSafeInteger()),
    d: fc.option(fc.boolean()),
  });
  const kinds: readonly (readonly [keyof Any, ColumnKind])[] = [
    ...([['a', 'text'] as const, ['b', 'double'] as const] as const),
    ...([['c', 'integer'] as const, ['d', 'boolean'] as const] as const),
  ];
  const columns = kinds.map(([name, kind]) => ({ name, kind, read: (one: Any) => one[name] }));
  let files = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
      const path = join(folder, `any-${(files += 1)}.parquet`);
      writeParquet<Any>(path, columns, rows);
      expect(plain(await query(`SELECT * FROM '${path}'`))).toEqual(rows);
    }),
    { numRuns: runs(200), seed: seed(11) },
  );
});
