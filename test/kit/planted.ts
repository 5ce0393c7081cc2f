import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A temporary folder that looks like the project, with files of its own: the package's name, other
 * packages and relative paths to the sources lead there from it too. Whoever asks removes it.
 */
export function planted(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-planted-'));
  for (const name of ['src', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
