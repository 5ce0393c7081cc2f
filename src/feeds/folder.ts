import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it, and returns those that it made, outermost first. One by one, since
 * Node's own recursion never ends where the system says that a parent is not there, as /proc does.
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
