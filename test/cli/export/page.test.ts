import { DuckDBInstance } from '@duckdb/node-api';
import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BacktestResult } from '../../../src/backtest/result.ts';
import { node, project } from '../../kit/project.ts';
import { hasPandas, python } from '../../kit/reading.ts';
import { suiteFolder } from '../../kit/recordings.ts';
import { argumentsOf, blocks, lines } from '../pages.ts';

const PAGE = 'docs/notebooks.md';

describe('docs/notebooks.md', () => {
  const folder = suiteFolder();
  let result: BacktestResult;

  beforeAll(() => {
    project(folder);
    const bin = join(folder, 'node_modules/millrace/bin/millrace.js');
    for (const line of lines(PAGE)) node([bin, ...(argumentsOf(line) ?? [])], folder);
    const [, run = ''] = /export (\S+)/.exec(lines(PAGE)[1]) ?? [];
    result = JSON.parse(readFileSync(join(folder, run, 'result.json'), 'utf8')) as BacktestResult;
  }, 240_000);

  test('shows a backtest in a cell of TypeScript, but for the kernel itself', () => {
    // In place of the kernel, which shows it in a browser.
    const kernel = join(folder, 'node_modules/tslab');
    mkdirSync(kernel);
    writeFileSync(join(kernel, 'index.js'), 'exports.display = { html: console.log };');
    const [cell] = blocks(PAGE, 'ts');
    writeFileSync(join(folder, 'cell.ts'), cell);
    const shown = node(['cell.ts'], folder);
    expect(shown).toMatch(/^<table><tr><th>closed<\/th>.*<\/table>\n$/);
    expect(shown.match(/<td>long<\/td>/g)?.length).toBeGreaterThan(3);
  });

  test.skipIf(!hasPandas)('sums the trades to the profit in pandas, and reads the returns', () => {
    const [tables, returns, ...others] = blocks(PAGE, 'python');
    expect(others).toEqual([]);
    const { metrics } = result;
    expect(python(tables, folder).trimEnd().split('\n').at(-1)).toBe(metrics.profit);
    expect(python(returns, folder)).toMatch(/2024-03-04 +0\.00256\nName: returns, dtype: float64/);
  });

  test('sums the trades to the profit in DuckDB', async () => {
    const database = await DuckDBInstance.create(':memory:');
    const connection = await database.connect();
    const [sql] = blocks(PAGE, 'sql');
    const reader = await connection.runAndReadAll(sql.replace("FROM '", `FROM '${folder}/`));
    const [row, ...others] = reader.getRowObjects();
    connection.closeSync();
    database.closeSync();
    expect(others).toEqual([]);
    const { profit, trades } = result.metrics;
    expect(Number(row['trades'])).toBe(trades.count);
    expect(String(row['net']).replace(/0+$/, '')).toBe(profit);
  });
});
