import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { excerpt } from '../config/excerpt.ts';
import { MillraceError, type ErrorCode } from '../model/errors.ts';
import { messageOf } from '../config/excerpt.ts';

/** Where the text of a file stops being JavaScript or TypeScript. */
interface SyntaxErrorLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** What Node says of import and export in a file that it takes for CommonJS. */
const NO_MODULE = /^(Cannot use import statement outside a module|Unexpected token 'export')/;

/**
 * A file of a user that cannot be loaded, a strategy if no other code says so: for a mistake of syntax with
 * its line, and for CommonJS with what to do.
 */
export function unloadable(
  path: string,
  cause: unknown,
  code: ErrorCode = 'strategy-invalid',
): MillraceError {
  const isSyntax = cause instanceof SyntaxError;
  if (isSyntax && NO_MODULE.test(cause.message)) {
    const js = ['.js', '.mjs'].includes(extname(path));
    return failed(
      code,
      path,
      `it uses import and export, and ${manifestOf(path)} makes it a CommonJS file. Write "type": "module" there, or give the file the extension ${js ? '.mjs' : '.mts'}.`,
      { where: path, cause },
    );
  }
  const location = isSyntax ? (locationIn(cause) ?? parsedLocation(path)) : undefined;
  if (location === undefined) return failed(code, path, messageOf(cause), { where: path, cause });
  const { file, line, column, text } = location;
  const where = `${file}:${line}:${column}`;
  const start = `  ${line} | `;
  const shownText = text.trimStart();
  const caret = start.length + column - 1 - (text.length - shownText.length);
  const shown = `${start}${excerpt(shownText, 120)}\n${' '.repeat(caret)}^`;
  const what = file === path ? '' : `${path} cannot be loaded: `;
  const sentence = `${what}${where} cannot be read: ${messageOf(cause)}.\n${shown}`;
  return new MillraceError(code, sentence, { where, cause });
}

const failed = (
  code: ErrorCode,
  path: string,
  why: string,
  details: { readonly where: string; readonly cause: unknown },
): MillraceError => new MillraceError(code, `${path} cannot be loaded: ${why}`, details);

/** The place that Node puts before the stack of a mistake in TypeScript. */
function locationIn({ stack = '' }: SyntaxError): SyntaxErrorLocation | undefined {
  const found = /^(?<file>\S.*):(?<line>\d+)\n(?:.*\n)*?(?<text>.*)\n(?<indent>[ \t]*)\^+\n/.exec(
    stack,
  )?.groups;
  if (found === undefined) return undefined;
  const { file, line, text, indent } = found;
  return {
    file: file.startsWith('file:') ? fileURLToPath(file) : file,
    line: Number(line),
    column: indent.length + 1,
    text,
  };
}

/** The place of a mistake in JavaScript, which Node keeps to itself: the parser of TypeScript finds it too. */
function parsedLocation(path: string): SyntaxErrorLocation | undefined {
  try {
    stripTypeScriptTypes(readFileSync(path, 'utf8'), { sourceUrl: path });
  } catch (error) {
    if (error instanceof SyntaxError) return locationIn(error);
  }
  return undefined;
}

/** The manifest that says what kind of modules the files of a folder are. */
function manifestOf(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return manifest;
    if (dirname(folder) === folder) return 'its folder';
  }
}
