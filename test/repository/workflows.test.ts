import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT, textFiles } from './rules/tree.ts';

const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Every npm script that a text runs. */
const scriptsIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /\bnpm (?:run(?:-script)?(?: -\S+)* ([a-z][\w:-]*)|(?:-\S+ )*(test|start)\b)/g,
    ),
  ].map(([, run, short = '']) => run ?? short);

/** Every value of a key, however deep it lies. */
function valuesOf(key: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === key ? [value as unknown] : valuesOf(key, value),
  );
}

const FILES = textFiles();
const WORKFLOWS = FILES.filter(({ path }) =>
  /^\.github\/(workflows|actions)\/.*\.ya?ml$/.test(path),
).map(({ path, text }) => ({ path, text, content: parse(text) as unknown }));
const PAGES = FILES.filter(({ path }) =>
  /^(README|CONTRIBUTING)\.md$|^\.github\/.*\.md$/.test(path),
);

test('scripts are found after npm run with options and by their short names, other commands are none', () => {
  const shell =
    'npm ci && npm run check; npm run -s a:b -- --c\nnpm test && npm pack && npm -s start';
  expect(scriptsIn(shell)).toEqual(['check', 'a:b', 'test', 'start']);
});

describe.each(WORKFLOWS)('$path', ({ content }) => {
  test('runs only npm scripts that package.json has', () => {
    const lines = valuesOf('run', content).map(String);
    const missing = lines.flatMap(scriptsIn).filter((name) => !(name in MANIFEST.scripts));
    expect(missing).toEqual([]);
  });

  test('uses only actions of this project that are here', () => {
    const uses = valuesOf('uses', content).map(String);
    const own = uses.filter((use) => use.startsWith('./'));
    expect(own.filter((use) => !existsSync(join(ROOT, use, 'action.yml')))).toEqual([]);
  });
});

describe.each(PAGES)('$path', ({ text }) => {
  test('names only npm scripts that package.json has', () => {
    expect(scriptsIn(text).filter((name) => !(name in MANIFEST.scripts))).toEqual([]);
  });
});

test('workflows run on the lowest Node that users may have and on the one of the project', () => {
  const own = readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim();
  expect(MANIFEST.devDependencies['node'].split('.')[0]).toBe(own);
  // The newest of the oldest line: "24" for ">=24.9".
  const lowest = MANIFEST.engines.node.replace('>=', '').split('.')[0];
  const matrices = WORKFLOWS.flatMap(({ content }) => valuesOf('matrix', content));
  const nodes = matrices.flatMap((matrix) => valuesOf('node', matrix));
  expect(nodes).toHaveLength(2);
  for (const each of nodes) expect(each).toEqual([Number(lowest), Number(own)]);
});
