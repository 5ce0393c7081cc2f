import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

/** Most bytes of a secret, a token, an address or a page of settings. */
const BYTES_MAX = 1 << 20;

/** A file is longer than allowed. */
export class FileTooLong extends Error {}

export interface SmallFile {
  readonly text: string;
  readonly stats: Stats;
}

/**
 * Reads a file of text that is small by its nature, at most `bytesMax` bytes of UTF-8. Devices such
 * as `/dev/zero` have no end and a named pipe may have no writer, so only regular files are read.
 * `isOwn`: of a file that Millrace writes itself no link is followed. Throws what the system throws,
 * and an `Error` whose message says why the file is not read.
 */
export function readSmallFile(
  path: string,
  {
    bytesMax = BYTES_MAX,
    isOwn = false,
  }: { readonly bytesMax?: number; readonly isOwn?: boolean } = {},
): SmallFile {
  // Without O_NONBLOCK the opening of a pipe waits for its writer. Windows has neither flag.
  const {
    O_RDONLY,
    O_NONBLOCK = 0,
    O_NOFOLLOW = 0,
  } = constants as Partial<typeof constants> & {
    readonly O_RDONLY: number;
  };
  const file = open(path, O_RDONLY | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    const tooLong = new FileTooLong(`it has more than ${bytesMax} bytes`);
    if (stats.size > bytesMax) throw tooLong;
    // Files of /proc report size zero, and others may grow while they are read.
    const bytes = Buffer.alloc(Math.max(stats.size, 4_096) + 1);
    let length = 0;
    for (;;) {
      const count = readSync(file, bytes, length, bytes.length - length, null);
      if (count === 0) return { text: bytes.toString('utf8', 0, length), stats };
      length += count;
      if (length > bytesMax || length === bytes.length) throw tooLong;
    }
  } finally {
    closeSync(file);
  }
}

function open(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ELOOP')) throw error;
    throw new Error('it is a symbolic link', { cause: error });
  }
}
