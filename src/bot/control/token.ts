import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSmallFile } from '../../config/small-file.ts';
import { errorText, MillraceError } from '../../model/errors.ts';
import { systemToken } from '../../platform/system-token.ts';
import { ensureOwnFile } from '../../platform/own-file.ts';

/** File with the generated token and the automatically chosen address. */
export const tokenPath = (data: string): string => join(data, 'control.token');
export const addressPath = (data: string): string => join(data, 'control.address');

/** Returns the token stored in a folder; generates one if there is none. Throws `file-unwritable`. */
export function storedToken(data: string): string {
  const path = tokenPath(data);
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(path, `${systemToken()}\n`, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    ensureOwnFile(path);
    // Whoever could put a link there would choose the token.
    const token = readSmallFile(path, { isOwn: true }).text.trim();
    if (token !== '') return token;
    throw new Error('it is empty; remove it, and a new one is made');
  } catch (cause) {
    const why = errorText(cause);
    throw new MillraceError(
      'file-unwritable',
      `The token of the control API cannot be kept in ${path} (${why}). Look at the rights of the folder, or name a token as control.token.`,
      { where: path, cause },
    );
  }
}
