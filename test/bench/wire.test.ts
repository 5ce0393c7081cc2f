import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

test(
  'the wire bench measures each message and ends with one JSON line',
  { timeout: 60_000 },
  () => {
    const reported = execFileSync(
      process.execPath,
      ['--conditions=millrace-source', MAIN, 'wire', '--rounds', '2000', '--json'],
      { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
    );
    const lines = reported.trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as {
      bench: string;
      rounds: number;
      nsPerMessage: Readonly<Record<string, number>>;
      describeMs: number;
    };
    expect(last).toMatchObject({ bench: 'wire', rounds: 2_000 });
    const { 'report written': written, 'signature judged': judged } = last.nsPerMessage;
    // A signature of 200 bytes alone takes a microsecond on any machine of today.
    for (const ns of [written, judged]) expect(ns).toBeGreaterThan(100);
    expect(last.describeMs).toBeGreaterThan(0);
    expect(lines.length).toBe(Object.keys(last.nsPerMessage).length + 2);
  },
);
