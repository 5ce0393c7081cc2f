import { DuckDBInstance } from '@duckdb/node-api';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { argumentsOf, blocks, lines } from '../cli/pages.ts';
import { node, project } from '../kit/project.ts';

const PAGE = 'docs/research.md';
const PYTHON = '/usr/bin/python3';
const hasPandas = spawnSync(PYTHON, ['-c', 'import pandas']).status === 0;
if (!hasPandas) {
  process.stdout.write(`skipped: the script for pandas is not run, ${PYTHON} has none\n`);
}

test('the scripts of the page run when pasted, and DuckDB and pandas open what they write', async () => {
  const folder = project();
  const examples = ['own-strategy', 'walk-forward', 'statistics', 'own-loop'].map((name) =>
    readFileSync(`examples/research/${name}.ts`, 'utf8'),
  );
  const scripts = [...blocks(PAGE, 'ts'), ...examples];
  const reported = scripts.map((script, index) => {
    writeFileSync(join(folder, `${index}.ts`), script);
    return node([`${index}.ts`], folder);
  });
  expect(reported).toHaveLength(6);
  expect(reported[0]).toMatch(/^[0-9a-f]{64} /);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain(reported[0].slice(0, 64));
  expect(reported[2].trim().split('\n')).toHaveLength(2);
  expect(readFileSync(join(folder, 'sweep.html'), 'utf8')).toContain('Sweep of ema-cross');
  const [head, ...rows] = readFileSync(join(folder, 'sweep/results.csv'), 'utf8')
    .trim()
    .split('\n');
  expect(head).toMatch(/^index,strategy,market,state,objective,hash,.*,p_fast,p_slow,m_events/);
  expect(rows).toHaveLength(6);
  await opensInDuckDb(folder);
  if (hasPandas) expect(inPandas(folder)).toMatch(/^p_fast +3 +6 +9$/m);
  expect(reported[3].trim().split('\n').length).toBeGreaterThan(2);
  expect(reported[4]).toMatch(/^above 0 \d.*\ndeflated \d.*\nperiods that it takes \d/);
  expect(reported[5].trim().split('\n')).toHaveLength(6);
  expect(readFileSync(join(folder, 'walk-forward.html'), 'utf8')).toContain('Walk-forward of');
}, 240_000);

test('the walk-forward of the page runs as a command', () => {
  const folder = project();
  const [, line] = lines(PAGE);
  const bin = join(folder, 'node_modules/millrace/bin/millrace.js');
  expect(node([bin, ...(argumentsOf(line) ?? [])], folder)).toMatch(/folds +2/);
  const names = ['walk-forward.html', 'folds.csv', 'folds.parquet', 'equity.csv'];
  for (const name of names) {
    expect(existsSync(join(folder, 'runs/walk-forward-ema-cross', name)), name).toBe(true);
  }
}, 240_000);

/** Runs the queries of the page; each finds rows. */
async function opensInDuckDb(folder: string): Promise<void> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const [text] = blocks(PAGE, 'sql');
  const queries = text.replaceAll("FROM '", `FROM '${folder}/`).split(';');
  const found: number[] = [];
  for (const query of queries.filter((each) => each.trim() !== '')) {
    found.push((await connection.runAndReadAll(query)).currentRowCount);
  }
  connection.closeSync();
  database.closeSync();
  expect(found).toEqual([5]);
}

/** What the script of the page prints. */
function inPandas(folder: string): string {
  const [script] = blocks(PAGE, 'python');
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

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
