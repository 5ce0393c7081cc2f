import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/** The owner alone reads and writes. */
const MODE = 0o600;
/** Rights of the group and of all others on a file. */
const OTHERS = 0o077;

/**
 * Makes a file that its owner alone may read, or takes the rights of others away from one that is there.
 * SQLite gives the files beside a database the rights of the database, so this comes first. A file that is
 * there is not opened: to close it again would drop the locks of this process on it. Throws if there is a
 * link, or anything else that is no regular file.
 */
export function ensureOwnFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', MODE));
    return;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  for (const each of [path, `${path}-wal`, `${path}-shm`]) takeFromOthers(each);
}

/**
 * Writes a small file that its owner alone may read, in place of one that is there. The text stands
 * in a new file first, so that a link of that name is replaced and never written through, and a
 * reader sees the text of before or of now.
 */
export function writeOwnFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.new`;
  rmSync(fresh, { force: true });
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode: MODE });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

function takeFromOthers(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  // A file of somebody's choosing must not be written by way of a link that has its name.
  if (found.isSymbolicLink()) throw new Error('it is a symbolic link');
  if (!found.isFile()) throw new Error('it is no regular file');
  if ((found.mode & OTHERS) === 0) return;
  // One of another user cannot be changed; whether it can be used shows when it is.
  if (process.getuid !== undefined && found.uid !== process.getuid()) return;
  chmodSync(path, MODE);
}
