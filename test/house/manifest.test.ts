import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse } from './rules/source.ts';
import { ROOT, textFiles } from './rules/tree.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Packages that sources name: in imports, and where they ask for a package's files. */
function packagesNamed(files: readonly { path: string; text: string }[]): Set<string> {
  const found = new Set<string>();
  for (const { path, text } of files) {
    for (const node of parse(path, text).nodes(ts.SyntaxKind.StringLiteral)) {
      if (!ts.isStringLiteral(node)) continue;
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(node.text)?.[0];
      if (name !== undefined) found.add(name);
    }
  }
  return found;
}

describe('package.json', () => {
  test('makes users install only packages that the sources name', () => {
    const shipped = textFiles().filter(({ path }) => /^(src|strategies)\/.*\.ts$/.test(path));
    // Only a file whose text has the name is worth parsing, and the first that names it will do.
    const isNamed = (name: string): boolean =>
      shipped.some((file) => file.text.includes(name) && packagesNamed([file]).has(name));
    expect(Object.keys(manifest.dependencies).filter((name) => !isNamed(name))).toEqual([]);
  });

  test('pins every version to the digit', () => {
    const { dependencies, devDependencies } = manifest;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});

test('a package counts as named by its own name, scope and subpaths included, and by no other', () => {
  const text = "import 'a'; import '@b/c/d'; resolve('e/package.json'); f('./g', '../h');";
  const named = packagesNamed([{ path: 'src/a.ts', text }]);
  expect(['a', '@b/c', 'e'].filter((name) => !named.has(name))).toEqual([]);
  expect(['b', 'c', '@b', 'g', 'h', 'd'].filter((name) => named.has(name))).toEqual([]);
});
