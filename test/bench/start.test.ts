import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { StartFigures } from '../../bench/start.ts';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

test(
  'the start bench measures each command and ends with one JSON line',
  { timeout: 60_000 },
  () => {
    const reported = execFileSync(
      process.execPath,
      ['--conditions=millrace-source', MAIN, 'start', '--runs', '1', '--json'],
      { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
    );
    const lines = reported.trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as {
      readonly bench: string;
      readonly runs: number;
      readonly figures: readonly StartFigures[];
    };
    expect(last).toMatchObject({ bench: 'start', runs: 1 });
    const sources = last.figures.filter(({ from }) => from === 'sources');
    expect(sources.map(({ command }) => command)).toEqual([
      '--help',
      'strategies',
      'backtest, to its first event',
    ]);
    // How long it takes depends on who else is busy on this machine.
    for (const { seconds, coldSeconds, peakBytes } of last.figures) {
      expect(seconds).toBeGreaterThan(0);
      expect(coldSeconds).toBeGreaterThan(0);
      expect(peakBytes).toBeGreaterThan(20 * 2 ** 20);
    }
    expect(lines).toHaveLength(last.figures.length + 1);
  },
);
