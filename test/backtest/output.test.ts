import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeRun } from '../../src/backtest/output.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { walkedResult } from '../kit/backtest-result.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-output-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const result = walkedResult({ minutes: 60 });

test('a run stands in a folder named by strategy and hash, with its numbers and its page', () => {
  const files = writeRun(result, join(folder, 'runs'));
  expect(files.folder).toBe(join(folder, 'runs', `walk-${result.hash.slice(0, 12)}`));
  expect(readdirSync(files.folder).sort()).toEqual(['report.html', 'result.json']);
  expect(JSON.parse(readFileSync(files.result, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(result)),
  );
  expect(readFileSync(files.report, 'utf8')).toContain(result.hash);
});

test('the same run again replaces its folder, and nothing else stays', () => {
  const out = join(folder, 'again');
  const { report } = writeRun(result, out);
  writeFileSync(report, 'old');
  writeRun(result, out);
  expect(readFileSync(report, 'utf8')).toContain('<!doctype html>');
  expect(readdirSync(out)).toEqual([`walk-${result.hash.slice(0, 12)}`]);
});

test('nothing half-written stays when a page cannot be made', () => {
  const out = join(folder, 'broken');
  const broken = { ...result, metrics: null } as unknown as BacktestResult;
  expect(() => writeRun(broken, out)).toThrow(TypeError);
  expect(existsSync(out)).toBe(false);
});

test('a place where nothing can be written is refused with what to do', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => writeRun(result, join(file, 'runs'))).toThrow(MillraceError);
  expect(() => writeRun(result, join(file, 'runs'))).toThrow(
    /could not be written.*choose another/,
  );
});
