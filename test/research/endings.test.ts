import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { started } from '../cli/process.ts';
import { laid, strategy } from './swing.ts';

const MAIN = resolve('bin/millrace.js');

/** A configuration, and the arguments of a sweep of 40 sets by it. */
function command(then?: string): { readonly folder: string; readonly args: readonly string[] } {
  const { folder, file } = laid(then);
  const config = join(folder, 'backtest.yaml');
  writeFileSync(
    config,
    `strategy: ${file}\nrecordings: [BTCUSDT.arrow]\nbalances: { USDT: '10000' }\nsampleEvery: 1s\n`,
  );
  const vary = ['--vary', 'at=1..20', 'hold=10,20', '--objective', 'profit', '--workers', '2'];
  return { folder, args: ['sweep', config, ...vary] };
}

const csvOf = (folder: string, out: string): string =>
  readFileSync(join(folder, out, 'results.csv'), 'utf8');

test('a sweep that Ctrl-C ended goes on, and comes to the bytes of one that was left alone', async () => {
  const { folder, args } = command();
  const first = started([...args, '-o', 'out'], { cwd: folder });
  const store = join(folder, 'out/sweep.sqlite-wal');
  await expect.poll(() => existsSync(store), { timeout: 60_000, interval: 5 }).toBe(true);
  first.child.kill('SIGINT');
  expect(await first.ended).toEqual({ code: 130, signal: null });
  expect(first.err()).toContain('goes on from there');
  expect(existsSync(join(folder, 'out/results.csv'))).toBe(false);
  const again = started([...args, '-o', 'out', '--json'], { cwd: folder });
  expect(await again.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(again.out())).toMatchObject({ counts: { done: 40 } });
  const whole = started([...args, '-o', 'whole'], { cwd: folder });
  expect(await whole.ended).toEqual({ code: 0, signal: null });
  expect(csvOf(folder, 'out')).toBe(csvOf(folder, 'whole'));
}, 240_000);

test('a sweep whose disk is full says so, keeps what it has, and goes on when there is room', () => {
  const { folder, args } = command();
  const line = [process.execPath, '--conditions=millrace-source', MAIN, ...args, '-o', 'out']
    .map((word) => `'${word}'`)
    .join(' ');
  // The system ends every write beyond so many blocks of 512 bytes, as a full disk does.
  const full = spawnSync('sh', ['-c', `ulimit -f 300; exec ${line}`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  expect(full.stderr).toContain('[file-unwritable]');
  expect(full.stderr).toContain('Free some space');
  expect(full.status).toBe(1);
  const again = spawnSync('sh', ['-c', `exec ${line} --json`], { cwd: folder, encoding: 'utf8' });
  const reported = JSON.parse(again.stdout) as { readonly reused: number };
  expect(reported.reused).toBeGreaterThan(0);
  expect(reported.reused).toBeLessThan(40);
  const whole = spawnSync('sh', ['-c', `exec ${line.replace("'out'", "'whole'")}`], {
    cwd: folder,
  });
  expect(whole.status).toBe(0);
  expect(csvOf(folder, 'out')).toBe(csvOf(folder, 'whole'));
}, 240_000);

test('the command ends with 1 where runs failed, after it has written and shown the others', async () => {
  const { folder, args } = command("if (p.at === 3) throw new Error('no idea');");
  const run = started([...args, '-o', 'out'], { cwd: folder });
  expect(await run.ended).toEqual({ code: 1, signal: null });
  expect(run.err()).toContain('[runs-failed]');
  expect(run.err()).toContain('2 of 40 sets failed');
  expect(run.out()).toMatch(/ranked +38/);
  expect(csvOf(folder, 'out')).toContain('strategy-failed');
}, 120_000);

test('an objective that there is not leaves no folder behind, and no column comes twice', async () => {
  const { folder, args } = command();
  const wrong = started([...args, '-o', 'out', '--objective', 'profits'], { cwd: folder });
  expect(await wrong.ended).toEqual({ code: 2, signal: null });
  expect(wrong.err()).toContain('"profit"');
  expect(existsSync(join(folder, 'out'))).toBe(false);
  writeFileSync(join(folder, 'swing.mts'), strategy());
  const right = started([...args, '-o', 'out'], { cwd: folder });
  expect(await right.ended).toEqual({ code: 0, signal: null });
  const [head] = right.out().split('\n');
  const columns = head.trim().split(/\s{2,}/);
  expect(new Set(columns).size).toBe(columns.length);
}, 120_000);
