import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ReplayFigures } from '../../bench/replay-child.ts';
import { sizeOf } from '../kit/size.ts';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
const NODE = ['--conditions=millrace-source', MAIN];
const ROWS = sizeOf('MILLRACE_BENCH_ROWS', 1_000, 5_000);

test(
  'the replay bench measures both lengths and ends with one JSON line',
  { timeout: 60_000 },
  () => {
    const reported = execFileSync(
      process.execPath,
      [...NODE, 'replay', '--rows', String(ROWS), '--json'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
      },
    );
    const lines = reported.trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as {
      bench: string;
      eventsPerSecond: number;
      memoryRatio: number;
      runs: ReplayFigures[];
    };
    expect(last.bench).toBe('replay');
    expect(last.runs.length).toBe(2);
    const [once, longer] = last.runs;
    expect(longer.rows / once.rows).toBeGreaterThan(5);
    for (const run of last.runs) {
      expect(run.nsPerEvent).toBeCloseTo(1e9 / run.eventsPerSecond, 3);
      // How the two compare depends on who else is busy on this machine.
      expect(run.scanNsPerEvent).toBeGreaterThan(0);
      expect(run.scanRatio).toBeCloseTo(run.nsPerEvent / run.scanNsPerEvent, 6);
      expect(run.peakBytes).toBeGreaterThan(20 * 2 ** 20);
    }
    expect(last.memoryRatio).toBeCloseTo(longer.peakBytes / once.peakBytes, 9);
    expect(lines.length).toBe(4);
  },
);

test('a bench that is not there and rows that are none end with what there is', () => {
  const run = (...words: string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, [...NODE, ...words], { encoding: 'utf8' });
  const unknown = run('nothing');
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toContain('There is no bench "nothing"');
  const few = run('replay', '--rows', 'many');
  expect(few.status).toBe(2);
  expect(few.stderr).toContain('--rows is many');
});
