import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { millraceHere } from './command.ts';

/** A call that fails, and how. */
export interface Case {
  readonly args: () => readonly string[];
  readonly code: 1 | 2;
  readonly error: string;
  readonly says: RegExp;
}

/** Expects a call to end in its sentence, without a stack trace and with nothing left in `folder`. */
export async function expectToFail(
  { args, code, error, says }: Case,
  folder: string,
): Promise<void> {
  const work = mkdtempSync(join(folder, 'work-'));
  const before = readdirSync(folder);
  const given = args();
  const out =
    given[0] === 'backtest' && !given.includes('--out') ? ['--out', join(work, 'runs')] : [];
  const ended = await millraceHere([...given, ...out]);
  expect(ended.err).toMatch(says);
  expect(ended.err).toContain(`[${error}`);
  expect(ended.err).not.toMatch(/^\s+at /m);
  expect(ended.code).toBe(code);
  expect(ended.out).toBe('');
  expect(readdirSync(work)).toEqual([]);
  expect(readdirSync(folder)).toEqual(before);
}
