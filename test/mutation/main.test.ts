import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../repository/rules/tree.ts';
import type { JudgedMutant } from './report.ts';

const SCRIPT = fileURLToPath(new URL('main.ts', import.meta.url));
const pathOf = (url: URL): string => relative(ROOT, fileURLToPath(url));
const SOURCE = pathOf(new URL('./fixture/counting.ts', import.meta.url));
const CASES = pathOf(new URL('./fixture/counting-cases.ts', import.meta.url));

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Runs the script outside of the vitest that runs this, and gives how it ended. */
async function mutation(...args: readonly string[]): Promise<Ended> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|TEST$)/.test(name)),
  );
  return await promisify(execFile)(process.execPath, [SCRIPT, ...args], { env }).then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    (error: unknown) => error as Ended,
  );
}

describe('the mutation script', () => {
  test('kills what a test can tell, and lists what none can', async () => {
    const report = join(mkdtempSync(join(tmpdir(), 'mutation-')), 'report.json');
    const { stdout, code } = await mutation(
      ...[SOURCE, '--tests', CASES, '--survivors', '--report', report],
    );
    const mutants = JSON.parse(readFileSync(report, 'utf8')) as JudgedMutant[];
    const verdictOf = (original: string, replacement: string): string | undefined =>
      mutants.find((mutant) => mutant.original === original && mutant.replacement === replacement)
        ?.verdict;

    expect(verdictOf('a + b', 'a - b')).toBe('killed');
    expect(verdictOf('price > limit', 'price <= limit')).toBe('killed');
    expect(verdictOf('price > limit', 'price >= limit')).toBe('alive');
    expect(verdictOf('at += 1', 'at -= 1')).toBe('killed');
    expect(verdictOf('calls += 1', 'calls -= 1')).toBe('killed');
    expect(verdictOf('a * b', 'a / b')).toBe('not covered');
    expect(stdout).toContain(`${SOURCE}:10:10 alive: price > limit  =>  price >= limit\n`);
    expect(stdout).toContain('1 tests pass only once in a process and were not tried.\n');
    expect(code).toBe(1);
  });

  test('ends with 2 where its call is wrong', async () => {
    expect(await mutation('wheels')).toMatchObject({
      stderr: 'wheels is no folder of src.\n',
      code: 2,
    });
    expect(await mutation(SOURCE, '--threshold', 'high')).toMatchObject({
      stderr: '--threshold is high and must be a number, 0 or more.\n',
      code: 2,
    });
  });
});
