import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '../../config/excerpt.ts';
import { makeFolders } from '../../feeds/folder.ts';
import { MillraceError } from '../../model/errors.ts';

/** Files to write to a folder, with their names. */
export interface Writing {
  readonly files: readonly string[];
  /** Files that an earlier result may have left and this one lacks; they are removed. */
  readonly absent?: readonly string[];
}

/**
 * Lets `write` write files to a temporary folder, and moves them to `folder` when all are complete;
 * returns their absolute paths and the result of `write`. `check` may first throw for a path that
 * must not be replaced. Throws `file-unwritable`, and leaves existing files unchanged then.
 */
export async function writeTogether<T extends Writing>(
  folder: string,
  check: (path: string) => void,
  write: (into: string) => T | Promise<T>,
): Promise<T & { readonly paths: readonly string[] }> {
  const target = resolve(folder);
  let made: readonly string[] = [];
  let fresh: string | undefined;
  let isDone = false;
  try {
    made = makeFolders(target);
    fresh = mkdtempSync(join(target, '.export-'));
    const into = join(fresh, 'files');
    mkdirSync(into);
    const written = await write(into);
    const paths = written.files.map((file) => join(target, file));
    const left = (written.absent ?? [])
      .map((file) => join(target, file))
      .filter((path) => existsSync(path));
    for (const path of [...paths, ...left]) check(path);
    for (const [index, path] of paths.entries()) renameSync(join(into, written.files[index]), path);
    for (const path of left) rmSync(path);
    isDone = true;
    return { ...written, paths };
  } catch (cause) {
    if (cause instanceof MillraceError) throw cause;
    throw new MillraceError(
      'file-unwritable',
      `Nothing could be written to ${target} (${messageOf(cause)}). Free some space, or choose another folder.`,
      { where: target, cause },
    );
  } finally {
    if (fresh !== undefined) rmSync(fresh, { recursive: true, force: true });
    if (!isDone && made.length > 0) rmSync(made[0], { recursive: true, force: true });
  }
}
