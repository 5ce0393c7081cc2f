import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
const NODE = ['--conditions=millrace-source', MAIN, 'orders'];
const SMALL = ['--size', '0.001', '--memory-rows', '10000'];

interface Row {
  readonly name: string;
  readonly unit: string;
  readonly count: number;
  readonly us: number;
  readonly ofScan: number;
  readonly peakMiB: number;
}

test('the orders bench measures each kind of request and ends with one JSON line', () => {
  const text = execFileSync(process.execPath, [...NODE, ...SMALL, '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  const lines = text.trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1) ?? '') as {
    readonly bench: string;
    readonly memoryRatio: number;
    readonly symbolsRatio: number;
    readonly rows: readonly Row[];
  };
  expect(last.bench).toBe('orders');
  expect(last.rows.map(({ unit }) => unit)).toEqual([
    ...[
      'bar',
      'bar',
      'order',
      'order',
      'request',
      'quote',
      'event',
      'order',
      'order',
      'event',
      'event',
    ],
  ]);
  // What a request costs in so short a run depends on who else is busy on this machine.
  for (const row of last.rows) {
    expect(row.count, row.name).toBeGreaterThan(10);
    expect(row.peakMiB).toBeGreaterThan(20);
  }
  const [replay, whole] = last.rows;
  expect(whole?.us).toBeGreaterThan(replay?.us ?? 0);
  const [shorter, longer] = last.rows.slice(-2);
  expect(last.memoryRatio).toBeCloseTo((longer?.peakMiB ?? 0) / (shorter?.peakMiB ?? 1), 9);
  expect((longer?.count ?? 0) / (shorter?.count ?? 1)).toBeGreaterThan(5);
  expect(lines.length).toBe(last.rows.length + 4);
}, 360_000);

test('sizes of the orders bench that are none are refused with what can be given', () => {
  const run = (...words: string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, [...NODE, ...words], { encoding: 'utf8' });
  const size = run('--size', '7');
  expect(size.status).toBe(2);
  expect(size.stderr).toContain('--size is 7; give a number from 0.001 to 1.');
  const rows = run('--memory-rows', 'many');
  expect(rows.status).toBe(2);
  expect(rows.stderr).toContain('--memory-rows is many; give a whole number of at least 10000.');
});
