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
/** Permissions of the group and of all others on a file. */
const OTHERS = 0o077;

/**
 * Creates a file that only its owner may read, or removes the permissions of others from an existing one.
 * SQLite gives the files beside a database the same permissions, so this comes first. An existing file is
 * not opened: closing it would drop this process's locks on it. Throws if it is a link, or not a regular
 * file.
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
 * Writes a small file that only its owner may read, replacing an existing one. The text is written to a new
 * file first, so that a link of that name is replaced and never written through, and a reader sees the
 * earlier or the new text.
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
  // A file chosen by somebody else must not be written through a link of that name.
  if (found.isSymbolicLink()) throw new Error('it is a symbolic link');
  if (!found.isFile()) throw new Error('it is not a regular file');
  if ((found.mode & OTHERS) === 0) return;
  // A file of another user cannot be changed; using it shows whether it can be used.
  if (process.getuid !== undefined && found.uid !== process.getuid()) return;
  chmodSync(path, MODE);
}
