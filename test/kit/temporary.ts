import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, where Linux has one. */
const MEMORY = join('/dev', 'shm');
/** What tests write at most, with room for others. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Puts the temporary files of a test run into one folder and removes it at the end; in memory where
 * there is room, as a journal waits for the disk with each order, several milliseconds on a busy one.
 */
export function setup(): () => void {
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'millrace-test-'));
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    // A process that a test left behind may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
