import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, statSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { guard, partOf, settle } from '../../feeds/writer.ts';
import { MillraceError } from '../../model/errors.ts';

/** Suffix of frame files. */
export const FRAMES_SUFFIX = '.ndjson.zst';

/** A skippable frame of zstd, which every reader ignores: here it holds the length of the next one. */
const SKIPPABLE = 0x184d2a50;
const HEAD_LENGTH = 12;

/** A part of a file: its length, then its bytes. */
export function packed(part: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_LENGTH);
  head.writeUInt32LE(SKIPPABLE, 0);
  head.writeUInt32LE(4, 4);
  head.writeUInt32LE(part.length, 8);
  return Buffer.concat([head, part]);
}

/** Where the last whole part of a file ends. */
function wholeLength(bytes: Buffer): number {
  let end = 0;
  for (;;) {
    if (end + HEAD_LENGTH > bytes.length || bytes.readUInt32LE(end) !== SKIPPABLE) return end;
    const next = end + HEAD_LENGTH + bytes.readUInt32LE(end + 8);
    if (next > bytes.length) return end;
    try {
      zstdDecompressSync(bytes.subarray(end + HEAD_LENGTH, next));
    } catch {
      return end;
    }
    end = next;
  }
}

/**
 * Returns a file of frames that a crash left behind its name, with its whole parts; returns the bytes that
 * were dropped. Throws `file-exists` if a file has that name, `file-unwritable`.
 */
export function recoverFrames(partPath: string): {
  readonly path: string;
  readonly bytesLost: number;
} {
  const path = partPath.slice(0, -partOf('').length);
  if (existsSync(path)) {
    throw new MillraceError('file-exists', `${path} is there already: move it away first.`, {
      where: path,
    });
  }
  // Opening a named pipe without a writer would wait for ever.
  if (statSync(partPath, { throwIfNoEntry: false })?.isFile() === false) {
    throw new MillraceError(
      'file-missing',
      `${partPath} cannot be read (it is not a regular file).`,
      {
        where: partPath,
      },
    );
  }
  const bytes = readFileSync(partPath);
  const length = wholeLength(bytes);
  guard(path, () => {
    const file = openSync(partPath, 'r+');
    try {
      ftruncateSync(file, length);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    settle(file, path);
  });
  return { path, bytesLost: bytes.length - length };
}
