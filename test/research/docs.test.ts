import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { argumentsOf, blocks, lines } from '../cli/pages.ts';
import { node, project } from '../kit/project.ts';

const PAGE = 'docs/research.md';

test('the scripts of the page run when pasted, and a sweep has the run of the backtest', () => {
  const folder = project();
  const scripts = blocks(PAGE, 'ts');
  const told = scripts.map((script, index) => {
    writeFileSync(join(folder, `${index}.ts`), script);
    return node([`${index}.ts`], folder);
  });
  expect(told).toHaveLength(3);
  expect(told[0]).toMatch(/^[0-9a-f]{64} /);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain(told[0].slice(0, 64));
  expect(told[1].trim().split('\n')).toHaveLength(2);
  const [head, ...rows] = readFileSync(join(folder, 'sweep.csv'), 'utf8').trim().split('\n');
  expect(head).toMatch(/^index,strategy,market,state,objective,hash,.*,p_fast,p_slow,m_events/);
  expect(rows).toHaveLength(6);
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
