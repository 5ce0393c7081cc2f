import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { MillraceError } from '../model/errors.ts';
import { reportPage } from './report.ts';
import type { BacktestResult } from './result.ts';

/** Where the files of a run are. */
export interface RunFiles {
  readonly folder: string;
  readonly result: string;
  readonly report: string;
}

/** How much of the hash names the folder of a run. */
const HASH_DIGITS = 12;

/**
 * Writes `result.json` and `report.html` into `out/<strategy>-<hash>/`. The folder appears whole or
 * not at all; a folder of the same run is replaced, since it says the same. Throws
 * `file-unwritable`.
 */
export function writeRun(result: BacktestResult, out: string): RunFiles {
  const name = `${result.strategy.name}-${result.hash.slice(0, HASH_DIGITS)}`;
  const folder = join(out, name);
  // Both are made before anything is written, so that only the disk can fail from here on.
  const json = `${JSON.stringify(result, null, 1)}\n`;
  const page = reportPage(result);
  let temporary: string | undefined;
  try {
    mkdirSync(out, { recursive: true });
    temporary = mkdtempSync(join(out, `.${name}-`));
    chmodSync(temporary, 0o755);
    writeFileSync(join(temporary, 'result.json'), json);
    writeFileSync(join(temporary, 'report.html'), page);
    // A rename replaces no folder that holds files, so the old one makes room first.
    if (existsSync(folder)) retire(folder, out);
    renameSync(temporary, folder);
  } catch (cause) {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    throw new MillraceError(
      'file-unwritable',
      `The results could not be written to ${folder} (${cause instanceof Error ? cause.message : String(cause)}). Free some space, or choose another folder.`,
      { where: folder, cause },
    );
  }
  return { folder, result: join(folder, 'result.json'), report: join(folder, 'report.html') };
}

function retire(folder: string, out: string): void {
  const aside = mkdtempSync(join(out, `.${basename(folder)}-old-`));
  renameSync(folder, join(aside, 'run'));
  rmSync(aside, { recursive: true, force: true });
}
