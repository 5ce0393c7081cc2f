import { mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../feeds/folder.ts';
import { errorText, MillraceError } from '../model/errors.ts';

/**
 * Makes a folder and checks that files can be made in it, before the work whose results go there. Returns a
 * function that removes the new folders that are still empty. Throws `file-unwritable`.
 */
export function makeFolder(path: string): () => void {
  let made: readonly string[] = [];
  const remove = (): void => {
    try {
      for (const folder of made.toReversed()) rmdirSync(folder);
    } catch {
      // It holds something now.
    }
  };
  try {
    made = makeFolders(path);
    rmdirSync(mkdtempSync(join(path, '.probe-')));
  } catch (cause) {
    remove();
    throw new MillraceError(
      'file-unwritable',
      `No results can be written to ${path} (${errorText(cause)}). Choose another folder.`,
      { where: path, cause },
    );
  }
  return remove;
}
