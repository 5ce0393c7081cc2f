import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { reportPage } from '../backtest/report.ts';
import { MillraceError } from '../model/errors.ts';
import { isRun, type BacktestRun } from './backtest.ts';
import { replaceFile } from './export/replace-file.ts';
import { sweepPage } from './page/page.ts';
import { walkForwardPage } from './page/walk-forward.ts';
import { isSweepResult, type SweepResult } from './sweep/options.ts';
import { isWalkForwardResult, type WalkForwardResult } from './walk-forward/options.ts';

/**
 * Writes the page of a run, a sweep or a walk-forward as one HTML file that needs no network,
 * replacing an existing one; returns its absolute path. Throws `file-unwritable`.
 */
export function report(given: BacktestRun | SweepResult | WalkForwardResult, path: string): string {
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
    if (isWalkForwardResult(given)) return walkForwardPage(given);
  }
  throw new MillraceError(
    'usage',
    'report takes what backtest, sweep or walkForward gave, and a path.',
  );
}
