import { writeSync } from 'node:fs';

/**
 * Writes all bytes to an open file, at `position` or at its present offset; throws system errors. A nearly
 * full disk takes a part and reports that only by its count. A part may be written before an error.
 */
export function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  for (let done = 0; done < bytes.length;) {
    const at = position === undefined ? null : position + done;
    const count = writeSync(file, bytes, done, bytes.length - done, at);
    // It would be repeated for ever.
    if (count === 0) throw new Error('nothing more is taken by the disk');
    done += count;
  }
}
