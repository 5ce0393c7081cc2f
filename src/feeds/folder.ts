import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its parents, and returns the created ones, outermost first. One by one, since Node's
 * own recursion never ends if the system reports a missing parent, as /proc does.
 */
export function makeFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let here = resolve(path); !existsSync(here); here = dirname(here)) missing.unshift(here);
  return missing.filter((folder) => {
    try {
      mkdirSync(folder);
      return true;
    } catch (error) {
      // Another run may have been quicker.
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return false;
      throw error;
    }
  });
}
