import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeCsv } from '../../src/backtest/csv.ts';
import { writeRun } from '../../src/backtest/output.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { Decimal, ZERO } from '../../src/model/decimal.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { walkedResult } from '../kit/backtest-result.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-output-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const result = walkedResult({ minutes: 60 });

test('a run stands in a folder named by strategy and hash, with its numbers and its page', () => {
  const files = writeRun(result, join(folder, 'runs'));
  expect(files.folder).toBe(join(folder, 'runs', `walk-${result.hash.slice(0, 12)}`));
  const tables = ['equity', 'fills', 'orders', 'trades'].map((name) => `${name}.csv`);
  expect(readdirSync(files.folder).sort()).toEqual(
    [...tables, 'report.html', 'result.json'].sort(),
  );
  expect(JSON.parse(readFileSync(files.result, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(result)),
  );
  expect(readFileSync(files.report, 'utf8')).toContain(result.hash);
});

/** The rows of a file that was written, by the names in its first line. */
const rowsOf = (path: string): Record<string, string>[] => {
  const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell])),
  );
};

test('every row of a long run stands beside a page and numbers that do not grow with it', () => {
  const short = walkedResult({ seed: 8, minutes: 60, rows: 3 });
  const long = walkedResult({ minutes: 12_000, rows: 3 });
  const [few, many] = [short, long].map((one) => writeRun(one, join(folder, 'long')));
  expect([long.fills.rows.length, long.trades.rows.length]).toEqual([3, 3]);
  const fills = rowsOf(many.tables.fills);
  expect(fills.length).toBe(long.fills.total);
  expect(fills.length).toBeGreaterThan(200);
  expect(fills.slice(0, 3)).toEqual(
    long.fills.rows.map((row) => ({
      ...row,
      taker: String(row.taker),
      id: String(row.id),
      margin: '',
      forced: '',
    })),
  );
  expect(fills.map(({ id }) => Number(id))).toEqual(fills.map((_, index) => index + 1));
  const trades = rowsOf(many.tables.trades);
  expect(trades.length).toBe(long.trades.total);
  const net = trades.reduce((sum, row) => sum.plus(row['net']), ZERO);
  const { grossProfit, grossLoss } = long.metrics.trades;
  expect(net.toFixed()).toBe(new Decimal(grossProfit).minus(grossLoss).toFixed());
  const equity = rowsOf(many.tables.equity);
  expect(equity.length).toBe(12_001);
  expect(long.series.at.length).toBeLessThanOrEqual(2_001);
  expect(equity.at(-1)).toMatchObject({
    at: long.series.at.at(-1),
    equity: long.metrics.equity.end,
  });
  const deepest = Math.max(...equity.map(({ drawdown }) => Number(drawdown)));
  expect(deepest).toBe(long.metrics.drawdown.maxRatio);
  const size = ({ report }: { report: string }): number => readFileSync(report).length;
  expect(size(many) - size(few)).toBeLessThan(500_000);
  expect(readFileSync(many.report, 'utf8')).toContain('fills.csv in this folder has all of them');
  expect(readFileSync(many.report, 'utf8')).toContain('a point shows 8 samples');
});

test('a cell that holds a comma, a quote or a line stands in quotes, and one without a value is empty', () => {
  const path = join(folder, 'cells.csv');
  const rows = [
    { a: 'x,"y"\nz', b: null },
    { a: false, b: 0 },
  ];
  writeCsv<{ a: string | boolean; b: number | null }>(path, ['a', 'b'], rows);
  expect(readFileSync(path, 'utf8')).toBe('a,b\n"x,""y""\nz",\nfalse,0\n');
});

test('the same run again replaces its folder, and nothing else stays', () => {
  const out = join(folder, 'again');
  const { report } = writeRun(result, out);
  writeFileSync(report, 'old');
  writeRun(result, out);
  expect(readFileSync(report, 'utf8')).toContain('<!doctype html>');
  expect(readdirSync(out)).toEqual([`walk-${result.hash.slice(0, 12)}`]);
});

test('nothing half-written stays when a page cannot be made', () => {
  const out = join(folder, 'broken');
  const broken = { ...result, metrics: null } as unknown as BacktestResult;
  expect(() => writeRun(broken, out)).toThrow(TypeError);
  expect(existsSync(out)).toBe(false);
});

test('a place where nothing can be written is refused with what to do', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => writeRun(result, join(file, 'runs'))).toThrow(MillraceError);
  expect(() => writeRun(result, join(file, 'runs'))).toThrow(
    /could not be written.*choose another/,
  );
});
