import { writeSync } from 'node:fs';

/**
 * Writes all bytes to an open file, at `position` or where the file stands; throws what the system
 * says. A disk that is nearly full takes a part and says so by its count alone. A part may be there
 * after an error.
 */
export function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  for (let done = 0; done < bytes.length;) {
    const at = position === undefined ? null : position + done;
    const count = writeSync(file, bytes, done, bytes.length - done, at);
    // It would be asked for ever.
    if (count === 0) throw new Error('nothing more is taken by the disk');
    done += count;
  }
}
