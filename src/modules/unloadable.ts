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

/** Node's error for import and export in a file that it reads as CommonJS. */
const NO_MODULE = /^(Cannot use import statement outside a module|Unexpected token 'export')/;

/**
 * The error for a user's file that cannot be loaded, a strategy unless another code is given: for a syntax
 * error with its line, for CommonJS with what to do.
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

/** The location that Node puts before the stack of a TypeScript syntax error. */
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

/**
 * The location of a JavaScript syntax error, which Node does not report: the parser of TypeScript finds it
 * too.
 */
function parsedLocation(path: string): SyntaxErrorLocation | undefined {
  try {
    stripTypeScriptTypes(readFileSync(path, 'utf8'), { sourceUrl: path });
  } catch (error) {
    if (error instanceof SyntaxError) return locationIn(error);
  }
  return undefined;
}

/** The manifest that determines the module kind of a folder's files. */
function manifestOf(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return manifest;
    if (dirname(folder) === folder) return 'its folder';
  }
}
