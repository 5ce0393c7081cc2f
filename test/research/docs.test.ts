import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { argumentsOf, blocks, lines } from '../cli/pages.ts';
import { temporaryFolder } from '../kit/recordings.ts';

const PAGE = 'docs/research.md';

/** A project that depends on Millrace. */
function project(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/millrace'));
  for (const name of ['rxjs', 'zod', 'decimal.js']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  symlinkSync(resolve('config'), join(folder, 'config'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return folder;
}

function node(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=millrace-source', ...args],
    { cwd, encoding: 'utf8' },
  );
  expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
  return stdout;
}

test('the scripts of the page run when pasted, and a sweep has the run of the backtest', () => {
  const folder = project();
  const scripts = blocks(PAGE, 'ts');
  const told = scripts.map((script, index) => {
    writeFileSync(join(folder, `${index}.ts`), script);
    return node([`${index}.ts`], folder);
  });
  expect(told).toHaveLength(5);
  expect(told[0]).toMatch(/^[0-9a-f]{64} /);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain(told[0].slice(0, 64));
  expect(told[1].trim().split('\n')).toHaveLength(2);
  const [head, ...rows] = readFileSync(join(folder, 'sweep.csv'), 'utf8').trim().split('\n');
  expect(head).toMatch(/^index,strategy,market,state,objective,hash,.*,p_fast,p_slow,m_events/);
  expect(rows).toHaveLength(6);
  expect(told[3]).toMatch(/^above 0 0\.\d+\ndeflated 0?\.?\d+.*\nperiods that it takes \d+/);
  expect(told[4].trim().split('\n').length).toBeGreaterThan(2);
}, 240_000);

test('the walk-forward of the page runs as a command', () => {
  const folder = project();
  const [, line] = lines(PAGE);
  const bin = join(folder, 'node_modules/millrace/bin/millrace.js');
  expect(node([bin, ...(argumentsOf(line) ?? [])], folder)).toMatch(/folds +2/);
}, 240_000);

test('the command of the page runs, and goes on from its folder when called again', () => {
  const folder = project();
  const [line] = lines(PAGE);
  const args = argumentsOf(line) ?? [];
  const bin = join(folder, 'node_modules/millrace/bin/millrace.js');
  const first = node([bin, ...args], folder);
  expect(first).toContain('results.csv');
  expect(first).toMatch(/reused +0/);
  const csv = join(folder, 'runs/sweep-ema-cross/results.csv');
  const text = readFileSync(csv, 'utf8');
  const again = JSON.parse(node([bin, ...args, '--json', '--workers', '1'], folder)) as object;
  expect(again).toMatchObject({ reused: 14, counts: { done: 14, failed: 0, invalid: 0 } });
  expect(readFileSync(csv, 'utf8')).toBe(text);
}, 240_000);
