import { join } from 'node:path';
import { namesIn, RECORDING_SUFFIX } from '../../feeds/catalog.ts';
import { recover } from '../../feeds/recovery.ts';
import { partOf } from '../../feeds/writer.ts';
import { MillraceError } from '../../model/errors.ts';
import { FRAMES_SUFFIX, recoverFrames } from './frame-file.ts';

/** Result of recovering a file that a crash left. */
export type Leftover =
  | { readonly kind: 'recovered'; readonly path: string; readonly bytesLost: number }
  /** It stays as it is; the error says why. */
  | { readonly kind: 'left'; readonly path: string; readonly error: MillraceError };

/** Recovers every unfinished file of a recorder in a folder. Throws `file-missing` for no folder. */
export function recoverLeftovers(folder: string): readonly Leftover[] {
  const found: Leftover[] = [];
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const recovering = name.endsWith(partOf(RECORDING_SUFFIX))
      ? recover
      : name.endsWith(partOf(FRAMES_SUFFIX))
        ? recoverFrames
        : undefined;
    if (recovering === undefined) continue;
    try {
      found.push({ kind: 'recovered', ...pick(recovering(path)) });
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      found.push({ kind: 'left', path, error });
    }
  }
  return found;
}

const pick = ({ path, bytesLost }: { readonly path: string; readonly bytesLost: number }) => ({
  path,
  bytesLost,
});
