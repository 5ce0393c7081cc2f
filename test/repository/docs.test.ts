import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUNDLED, MAY_IMPORT } from '../../.dependency-cruiser.mjs';
import { ROOT, textFiles } from './rules/tree.ts';

const FILES = textFiles();

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('docs/dependencies.md', () => {
  const page = read('docs/dependencies.md');
  const manifest = JSON.parse(read('package.json')) as {
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const { dependencies, peerDependencies } = manifest;
  const development = Object.keys(manifest.devDependencies);
  const installed = Object.keys(peerDependencies);

  test.each([
    ['## What ships', Object.keys(dependencies)],
    ['## What becomes part of the build', BUNDLED],
    ['## What it shares with your project', installed],
    [
      '## What builds and tests it',
      development.filter((name) => !installed.includes(name) && !BUNDLED.includes(name)),
    ],
  ])('%s: lists the packages of package.json, each with its reason', (heading, packages) => {
    const [, rest = ''] = page.split(`\n${heading}\n`);
    const [section = ''] = rest.split('\n## ');
    const lines = [...section.matchAll(/^- (`.+?`): (.*)$/gm)];
    const listed = lines.flatMap(([, names = '']) => names.split(', '));
    expect(listed.toSorted()).toEqual(packages.map((name) => `\`${name}\``).toSorted());
    for (const [, names, why] of lines) expect(why.length, names).toBeGreaterThan(20);
  });
});

test('docs/architecture.md lists the folders of the import table in its order', () => {
  const [, rest = ''] = read('docs/architecture.md').split('\n## Folders of `src`, lowest first\n');
  const [section = ''] = rest.split('\n## ');
  const folders = [...section.matchAll(/^- `(\w+)`: /gm)].map(([, name]) => name);
  expect(folders).toEqual(Object.keys(MAY_IMPORT));
});

describe('docs/decisions.md', () => {
  test('numbers its entries, each of at most four sentences with a reason', () => {
    const entries = read('docs/decisions.md').split(/\n## /).slice(1);
    expect(entries.length).toBeGreaterThan(0);
    entries.forEach((entry, index) => {
      expect(entry).toMatch(new RegExp(`^${index + 1}\\. `));
      const [title = '', , ...rest] = entry.trim().split('\n');
      expect(rest, title).toHaveLength(1);
      const sentences = rest[0].split(/(?<=\.) (?=[A-Z])/);
      expect(sentences.length, title).toBeLessThanOrEqual(4);
      expect(rest[0], title).toMatch(/(^|\. )Why: /);
    });
  });
});

test('the reference of the public interface is made without a warning', () => {
  const typedoc = join(ROOT, 'node_modules/typedoc/bin/typedoc');
  // Warnings count as errors in typedoc.json. Types are checked by `npm run check`.
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [typedoc, '--emit', 'none', '--skipErrorChecking'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(status, `${stdout}${stderr}`).toBe(0);
}, 300_000);

const ABSOLUTE = /^[a-z]+:/;

/** Links of a page that lead to files here, with their anchors. */
function localLinks(text: string): { readonly file: string; readonly anchor: string }[] {
  const bare = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...bare.matchAll(/\]\(([^)\s]+)\)/g)]
    .filter(([, target]) => !ABSOLUTE.test(target))
    .map(([, target]) => {
      const [file, anchor = ''] = target.split('#');
      return { file, anchor };
    });
}

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const bare = text.replace(/```[\s\S]*?```/g, '');
  const slugs = Array.from(bare.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(slugs);
}

describe('links', () => {
  test('to files and headings are found, links elsewhere and in code are not', () => {
    expect(
      localLinks('[a](b.md#c) [d](https://example.org) [e](#f) `[g](h.md)` ![i](j.png)'),
    ).toEqual([
      { file: 'b.md', anchor: 'c' },
      { file: '', anchor: 'f' },
      { file: 'j.png', anchor: '' },
    ]);
    expect([...anchorsOf('# Two `words`\n\n### Else, and more\n')]).toEqual([
      'two-words',
      'else-and-more',
    ]);
  });

  const pages = FILES.filter(({ path }) => path.endsWith('.md'));
  test.each(pages.map(({ path, text }) => [path, text]))(
    'of %s lead to files and headings',
    (path, text) => {
      const dead = localLinks(text).filter(({ file, anchor }) => {
        const target = file === '' ? path : join(dirname(path), file);
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== '' && !anchorsOf(read(target)).has(anchor);
      });
      expect(dead).toEqual([]);
    },
  );
});
