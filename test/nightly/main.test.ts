import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { played } from './worker.ts';

const SCRIPT = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs the script and gives what it wrote and how it ended. */
async function nightly(...args: readonly string[]): Promise<{ out: string; code: number }> {
  const run = promisify(execFile)(process.execPath, [
    ...['--conditions=millrace-source', SCRIPT, ...args],
  ]);
  return await run.then(
    ({ stdout }) => ({ out: stdout, code: 0 }),
    (error: unknown) => {
      const { stderr, code } = error as { readonly stderr: string; readonly code: number };
      return { out: stderr, code };
    },
  );
}

describe('the nightly script', () => {
  test('plays so many histories from a seed on and says how many were clean', async () => {
    const { out, code } = await nightly('--sequences', '4', '--workers', '1', '--seed', '7');
    expect(out).toMatch(/^4 sequences, seeds 7 to 7\n4 of 4 clean, \d+ a second\n$/);
    expect(code).toBe(0);
  });

  test('ends with 2 where its call is wrong', async () => {
    expect(await nightly('--workers', 'many')).toEqual({
      out: '--workers is many and must be a whole number, 1 or more.\n',
      code: 2,
    });
    expect(await nightly('--game', 'chess')).toEqual({
      out: '--game is chess and must be orders or banking.\n',
      code: 2,
    });
  });

  test.each(['orders', 'banking'] as const)('plays %s from a seed', (game) => {
    expect(played({ game, seed: 3, runs: 2 })).toEqual({ game, seed: 3, runs: 2 });
  });
});
