import { basename, isAbsolute, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Where in the strategy's file an error comes from, `strategies/mine.ts:12`: the first frame of its stack
 * that lies in that file. Relative to the working directory, and the name alone of a file that lies
 * elsewhere, so that the folders of the machine are not shown. `undefined` for a stack that never was in
 * the file, such as that of a command that the engine cannot read.
 */
export function failureLocation(stack: string | undefined, file: string): string | undefined {
  const names = [pathToFileURL(file).href, file];
  for (const frame of stack?.split('\n') ?? []) {
    const found = /^\s*at(?<place> .*):(?<line>\d+):\d+\)?$/.exec(frame)?.groups;
    if (found === undefined) continue;
    const { place, line } = found;
    if (names.some((name) => place.endsWith(` ${name}`) || place.endsWith(`(${name}`))) {
      return `${shownPath(file)}:${line}`;
    }
  }
  return undefined;
}

function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || isAbsolute(path) ? basename(file) : path;
}
