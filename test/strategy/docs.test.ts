import { readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import * as rxjs from 'rxjs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import * as millrace from '../../src/index.ts';
import * as testing from '../../src/testing.ts';
import { typeErrors } from '../kit/type-check.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = ['docs/writing-a-strategy.md', 'docs/order-lists.md', 'docs/margin-and-futures.md'];

/** A block of code on a page, as a file of the project: where its first line says, or beside the page. */
interface Block {
  readonly path: string;
  readonly code: string;
}

const BLOCKS: readonly Block[] = PAGES.flatMap((page) =>
  [...readFileSync(resolve(ROOT, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, code], index) => ({
      path: /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `${page.replace('.md', '')}-${index + 1}.ts`,
      code,
    }),
  ),
);

type Module = Readonly<Record<string, unknown>>;

/** Runs the blocks in order, each as a module that may import those before it; gives their tests. */
function runBlocks(): { readonly title: string; readonly body: () => void }[] {
  const tests: { readonly title: string; readonly body: () => void }[] = [];
  const collect = (title: string, body: () => void): void => void tests.push({ title, body });
  const modules = new Map<string, Module>([
    ['rxjs', rxjs],
    ['millrace', millrace],
    ['millrace/testing', testing],
    ['vitest', { expect, test: collect }],
  ]);
  for (const { path, code } of BLOCKS) {
    const exports: Module = {};
    const require = (name: string): Module => {
      const found = modules.get(
        name.startsWith('.') ? posix.join(posix.dirname(path), name) : name,
      );
      if (found === undefined)
        throw new Error(`${path} imports ${name}, which is not on the pages`);
      return found;
    };
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2024 },
    });
    const run = compileFunction(outputText, ['exports', 'require'], { filename: path }) as (
      exports: Module,
      require: (name: string) => Module,
    ) => void;
    run(exports, require);
    modules.set(path, exports);
  }
  return tests;
}

describe(PAGES.join(' and '), () => {
  test('have blocks of code to try', () => {
    expect(BLOCKS.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'strategies/breakout.ts',
        'test/strategies/breakout.test.ts',
        'docs/order-lists-1.ts',
      ]),
    );
    expect(BLOCKS.length).toBeGreaterThan(8);
  });

  test('every block compiles', () => {
    expect(typeErrors(new Map(BLOCKS.map(({ path, code }) => [path, code])))).toEqual([]);
  });

  const tests = runBlocks();
  test('have a test to show', () => {
    expect(tests).toHaveLength(1);
  });

  test.each(tests)('$title', ({ body }) => {
    body();
  });
});
