import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { reportPage } from '../backtest/report.ts';
import { MillraceError } from '../model/errors.ts';
import { isRun, type BacktestRun } from './backtest.ts';
import { replaceFile } from './export/replace-file.ts';
import { sweepPage } from './page/page.ts';
import { isSweepResult, type SweepResult } from './sweep/options.ts';

/**
 * Writes the page of a run or of a sweep as one HTML file that needs no network, in place of one that is
 * there; gives its absolute path. Throws `file-unwritable`.
 */
export function report(given: BacktestRun | SweepResult, path: string): string {
  const page = pageOf(given, path);
  const file = resolve(path);
  replaceFile(file, (fresh) => {
    writeFileSync(fresh, page);
  });
  return file;
}

function pageOf(given: unknown, path: unknown): string {
  if (typeof path === 'string' && path !== '') {
    if (isRun(given)) return reportPage(given.result);
    if (isSweepResult(given)) return sweepPage(given);
  }
  throw new MillraceError('usage', 'report takes what backtest or sweep gave, and a path.');
}
