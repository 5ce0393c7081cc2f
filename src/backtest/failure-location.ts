import { basename, isAbsolute, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Location of an error in the strategy's file, `strategies/mine.ts:12`: the first frame of its
 * stack in that file. Relative to the working directory, with only the name of a file elsewhere, so
 * that folders of the machine are not shown. `undefined` if no frame is in the file, for example
 * for an invalid command.
 */
export function failureLocation(stack: string | undefined, file: string): string | undefined {
  const names = [pathToFileURL(file).href, file];
  for (const frame of stack?.split('\n') ?? []) {
    const found = /^\s*at(?<place> .*):(?<line>\d+):\d+\)?$/.exec(frame)?.groups;
    if (found === undefined) continue;
    const { place, line } = found;
    if (names.some((name) => place.endsWith(` ${name}`) || place.endsWith(`(${name}`))) {
      return `${displayPath(file)}:${line}`;
    }
  }
  return undefined;
}

function displayPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || isAbsolute(path) ? basename(file) : path;
}
