import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Ends the name of a file that is being written; what carries it after a crash may be removed. */
const PART = '.part';

/**
 * Writes a file as a whole: under its name stands what was there before or all of the new content,
 * after a crash too. Throws what the file system throws (`code` says which: ENOENT, EACCES,
 * ENOSPC); nothing half-written stays behind.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}${PART}`);
  try {
    const file = openSync(part, 'w');
    try {
      writeAll(file, typeof content === 'string' ? new TextEncoder().encode(content) : content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done);
  }
}

/** The new name lasts once its folder is on the disk. Windows has no such call and needs none. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
