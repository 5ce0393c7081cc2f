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
 * The text of a strategy: its file and the local modules that it imports by a relative path, and those
 * that they import. What comes from packages is left out, and so is whatever a module reads by itself.
 * The same text gives the same list on every machine. Without a file, or where that is gone, the text of
 * the strategy's functions stands for it, to which what they call does not belong.
 */
export function strategySource(strategy: Strategy, file?: string): readonly SourceModule[] {
  const texts = file === undefined ? undefined : strategyTexts(file);
  if (texts !== undefined) return sourceOf(texts);
  const { run, warmUpMs } = strategy;
  return sourceOf([{ name: '', text: `${String(run)}\n${String(warmUpMs)}` }]);
}

/** The same list of texts that are there. */
export const sourceOf = (texts: readonly SourceText[]): readonly SourceModule[] =>
  texts.map(({ name, text }) => ({
    name,
    sha256: createHash('sha256').update(text).digest('hex'),
  }));

/** The texts of a strategy's file and of what it imports; undefined if the file is gone. */
export function strategyTexts(file: string): readonly SourceText[] | undefined {
  const main = textOf(file);
  if (main === undefined) return undefined;
  const texts = new Map([[file, main]]);
  // The map grows while it is walked.
  for (const [path, text] of texts) {
    for (const [, , specifier] of text.matchAll(IMPORTS)) {
      const imported = resolve(dirname(path), specifier);
      if (texts.has(imported)) continue;
      // What a comment or a text names need not be there.
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
