import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { Strategy } from '../strategy/define.ts';

/** A module of a strategy. */
export interface SourceModule {
  /** Relative to the folder of the strategy's file, with `/`; empty for that file itself. */
  readonly name: string;
  /** SHA-256 of its text with LF line ends, in hexadecimal. */
  readonly sha256: string;
}

/** A module of a strategy with its text. */
export interface SourceText {
  /** Relative to the folder of the strategy's file, with `/`; empty for that file itself. */
  readonly name: string;
  /** With LF line ends. */
  readonly text: string;
}

/** `from './a.ts'`, `import './a.ts'`, `import('./a.ts')`, `require('./a.cjs')`. */
const IMPORTS = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/**
 * Source of a strategy: its file and the local modules that it imports by relative paths, directly
 * and indirectly. Packages are excluded, and so are files that a module reads itself. The same
 * source gives the same list on every machine. Without a file, or if that is gone, the text of the
 * strategy's functions replaces it, without the functions that they call.
 */
export function strategySource(strategy: Strategy, file?: string): readonly SourceModule[] {
  const texts = file === undefined ? undefined : strategyTexts(file);
  if (texts !== undefined) return sourceOf(texts);
  const { run, warmUpMs } = strategy;
  return sourceOf([{ name: '', text: `${String(run)}\n${String(warmUpMs)}` }]);
}

/** The list for given texts. */
export const sourceOf = (texts: readonly SourceText[]): readonly SourceModule[] =>
  texts.map(({ name, text }) => ({
    name,
    sha256: createHash('sha256').update(text).digest('hex'),
  }));

/** Texts of a strategy's file and of its imports; undefined if the file is gone. */
export function strategyTexts(file: string): readonly SourceText[] | undefined {
  const main = textOf(file);
  if (main === undefined) return undefined;
  const texts = new Map([[file, main]]);
  // The map grows during the loop.
  for (const [path, text] of texts) {
    for (const [, , specifier] of text.matchAll(IMPORTS)) {
      const imported = resolve(dirname(path), specifier);
      if (texts.has(imported)) continue;
      // An import in a comment or a text need not exist.
      const found = textOf(imported);
      if (found !== undefined) texts.set(imported, found);
    }
  }
  return [...texts]
    .map(([path, text]) => ({ name: path === file ? '' : nameOf(file, path), text }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const nameOf = (file: string, path: string): string =>
  relative(dirname(file), path).split(sep).join('/');

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return undefined;
  }
}
