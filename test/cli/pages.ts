import { readFileSync } from 'node:fs';

/** Blocks of one language on a page, or in a part of one, in order. */
export const blocksIn = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , code = '']) => code);

export const blocks = (path: string, language: string): readonly string[] =>
  blocksIn(readFileSync(path, 'utf8'), language);

/** The lines of a block for the shell; one that goes on in the next is one. */
export const linesOf = (block: string): readonly string[] =>
  block
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n');

/** The lines that a page tells to paste into a shell, in order. */
export const lines = (path: string): readonly string[] => blocks(path, 'sh').flatMap(linesOf);

const MILLRACE = 'npm run -s millrace -- ';

/** The arguments of a line that is a command of `millrace` and nothing else. */
export function argumentsOf(line: string): readonly string[] | undefined {
  if (!line.startsWith(MILLRACE) || /["'|$>;&]/.test(line)) return undefined;
  return line.slice(MILLRACE.length).split(' ');
}
