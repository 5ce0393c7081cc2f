import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

test('the sweep bench runs all sets with one thread and with two, and ends with one JSON line', () => {
  const reported = execFileSync(
    process.execPath,
    ['--conditions=millrace-source', MAIN, 'sweep', '--bars', '1000', '--sets', '4', '--json'],
    { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  );
  const last = JSON.parse(reported.trimEnd().split('\n').at(-1) ?? '') as {
    readonly one: { readonly busyMsPerSet: number };
    readonly gain: number;
  };
  const size = { bench: 'sweep', bars: 1_000, sets: 4 };
  expect(last).toMatchObject({ ...size, one: { workers: 1 }, two: { workers: 2 } });
  expect(last.gain).toBeGreaterThan(0);
  expect(last.one.busyMsPerSet).toBeGreaterThan(0);
}, 240_000);
