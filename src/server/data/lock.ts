import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { writeOwnFile } from '../../platform/own-file.ts';
import { ProcessLock } from '../../platform/process-lock.ts';

/**
 * One process per data folder: creates the folder if there is none and locks its file `lock`. Throws
 * `venue-data-locked` if another process has it, and `venue-data-unwritable`.
 */
export function takeFolderLock(folder: string): ProcessLock {
  let lock: ProcessLock | undefined;
  try {
    lock = ProcessLock.take(join(folder, 'lock'), () => {
      writeOwnFile(join(folder, 'holder'), `${process.pid}\n`);
    });
  } catch (error) {
    throw new MillraceError(
      'venue-data-unwritable',
      `The folder ${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}. Look at its rights and space.`,
      { where: folder, cause: error },
    );
  }
  if (lock !== undefined) return lock;
  throw new MillraceError(
    'venue-data-locked',
    `Another venue${holderOf(folder)} keeps its state in ${folder}; stop it first, or name another folder.`,
    { where: folder },
  );
}

/** The last process id written there; nothing if there is none. */
function holderOf(folder: string): string {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'holder'), 'utf8'), 10);
    return Number.isNaN(pid) ? '' : ` (process ${pid})`;
  } catch {
    return '';
  }
}
