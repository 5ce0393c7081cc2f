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

/** `from './a.ts'`, `import './a.ts'`, `import('./a.ts')`, `require('./a.cjs')`. */
const IMPORTS = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/**
 * The text of a strategy: its file and the local modules that it imports by a relative path, and those
 * that they import. What comes from packages is left out, and so is whatever a module reads by itself.
 * The same text gives the same list on every machine. Without a file, or where that is gone, the text of
 * the strategy's functions stands for it, to which what they call does not belong.
 */
export function strategySource(strategy: Strategy, file?: string): readonly SourceModule[] {
  const main = file === undefined ? undefined : textOf(file);
  if (file === undefined || main === undefined) {
    const { run, warmUpMs } = strategy;
    return [moduleOf('', `${String(run)}\n${String(warmUpMs)}`)];
  }
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
    .map(([path, text]) => moduleOf(path === file ? '' : nameOf(file, path), text))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const nameOf = (file: string, path: string): string =>
  relative(dirname(file), path).split(sep).join('/');

const moduleOf = (name: string, text: string): SourceModule => ({
  name,
  sha256: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex'),
});

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
