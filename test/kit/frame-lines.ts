import { readFileSync } from 'node:fs';
import { decompressZstd } from 'hyparquet-compressors';

/**
 * The lines of a file of frames that a recorder kept, by a reader of zstd that is not Node's: that of
 * Node 24 stops at the first part of such a file.
 */
export const frameLines = (path: string): readonly { receivedAt: number; frame: string }[] =>
  Buffer.from(decompressZstd(readFileSync(path)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { receivedAt: number; frame: string });
