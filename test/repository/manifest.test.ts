import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { BUNDLED } from '../../.dependency-cruiser.mjs';
import { parse } from './rules/source.ts';
import { ROOT, textFiles } from './rules/tree.ts';

type Versions = Readonly<Record<string, string>>;

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: Versions;
  readonly peerDependencies: Versions;
  readonly devDependencies: Versions;
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
};

/** True where `version` is at least that of the range, such as `^1.2.0`, and of its major. */
function isWithin(range: string, version: string): boolean {
  const [least = [], given = []] = [range.slice(1), version].map((text) =>
    text.split('.').map(Number),
  );
  const differing = least.findIndex((part, i) => part !== given[i]);
  if (differing === -1) return true;
  return differing > 0 && (given[differing] ?? 0) > (least[differing] ?? 0);
}

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
  const shipped = textFiles().filter(({ path }) => /^(src|strategies)\/.*\.ts$/.test(path));
  // Only a file whose text has the name is worth parsing, and the first that names it will do.
  const isNamed = (name: string): boolean =>
    shipped.some((file) => file.text.includes(name) && packagesNamed([file]).has(name));

  test('makes users install only packages that the sources name', () => {
    const { dependencies, peerDependencies } = manifest;
    const installed = Object.keys({ ...dependencies, ...peerDependencies });
    expect(installed.filter((name) => !isNamed(name))).toEqual([]);
  });

  test('names the types of each door also for compilers that read no exports, as notebooks have', () => {
    const doors = Object.entries(manifest.exports).flatMap(([door, { types }]) =>
      door === '.' || types === undefined ? [] : [[door.slice('./'.length), [types]] as const],
    );
    expect(doors.length).toBeGreaterThan(3);
    expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(doors) });
  });

  test('keeps what becomes part of the build from being installed, and the sources name it', () => {
    const { dependencies, peerDependencies, devDependencies } = manifest;
    for (const name of BUNDLED) {
      expect({ ...dependencies, ...peerDependencies }, name).not.toHaveProperty([name]);
      expect(devDependencies, name).toHaveProperty([name]);
    }
    expect(BUNDLED.filter((name) => !isNamed(name))).toEqual([]);
  });

  test('takes a range of each peer, and is tested with one version of it', () => {
    const { dependencies, peerDependencies, devDependencies } = manifest;
    for (const [name, range] of Object.entries(peerDependencies)) {
      expect(range, name).toMatch(/^\^[1-9]\d*\.\d+\.\d+$/);
      expect(isWithin(range, devDependencies[name] ?? ''), name).toBe(true);
      expect(dependencies[name], name).toBeUndefined();
    }
  });

  test('pins every version to the digit', () => {
    const { dependencies, devDependencies } = manifest;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-r\.\d+)?$/);
    }
  });
});

test.each([
  ['^1.2.3', '1.2.3', true],
  ['^1.2.3', '1.2.10', true],
  ['^1.2.3', '1.10.0', true],
  ['^1.2.3', '1.2.2', false],
  ['^1.2.3', '1.1.9', false],
  ['^1.2.3', '2.2.3', false],
  ['^1.2.3', '0.9.9', false],
  ['^1.2.3', '', false],
])('the range %s and the version %s', (range, version, fits) => {
  expect(isWithin(range, version)).toBe(fits);
});

test('a package counts as named by its own name, scope and subpaths included, and by no other', () => {
  const text = "import 'a'; import '@b/c/d'; resolve('e/package.json'); f('./g', '../h');";
  const named = packagesNamed([{ path: 'src/a.ts', text }]);
  expect(['a', '@b/c', 'e'].filter((name) => !named.has(name))).toEqual([]);
  expect(['b', 'c', '@b', 'g', 'h', 'd'].filter((name) => named.has(name))).toEqual([]);
});
