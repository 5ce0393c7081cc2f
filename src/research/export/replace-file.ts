import { renameSync, rmSync } from 'node:fs';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';

/**
 * Lets `write` write a temporary file, and moves it to `path` when it is complete. Throws
 * `file-unwritable`, and leaves an existing file unchanged then.
 */
export function replaceFile(path: string, write: (fresh: string) => void): void {
  const fresh = `${path}.${process.pid}.new`;
  try {
    rmSync(fresh, { force: true });
    write(fresh);
    renameSync(fresh, path);
  } catch (cause) {
    rmSync(fresh, { force: true });
    throw new MillraceError(
      'file-unwritable',
      `${path} could not be written (${messageOf(cause)}). Free some space, or choose another path.`,
      { where: path, cause },
    );
  }
}
