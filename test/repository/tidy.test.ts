import { beforeAll, describe, expect, test } from 'vitest';
import { escapes } from './rules/escapes.ts';
import { focus } from './rules/focus.ts';
import { leftoversInSource, leftoversInText } from './rules/leftovers.ts';
import { FILE_LINES_MAX, FUNCTION_LINES_MAX, longFiles, longFunctions } from './rules/lengths.ts';
import { machinePaths } from './rules/machine-paths.ts';
import { names } from './rules/names.ts';
import { namedBy, orphans, type Naming } from './rules/orphans.ts';
import {
  exportedClasses,
  privateWords,
  privateWordsInPath,
  sharedNames,
} from './rules/private-words.ts';
import { parse, type Fault, type Source } from './rules/source.ts';
import { textFiles, type TextFile } from './rules/tree.ts';

const code = (...lines: string[]): string => `${lines.join('\n')}\n`;
const where = (faults: readonly Fault[]): string[] => faults.map((fault) => fault.where);

/** Fails with every fault on a line of its own. */
function expectNone(faults: readonly Fault[]): void {
  expect(faults.map((fault) => `${fault.where}  ${fault.message}`).join('\n')).toBe('');
}

const SHIPPED =
  /^src\/(index|testing|clients|backtest|feeds|gateway|cli\/main)\.ts$|^strategies\/|^bench\/main\.ts$/;
const STARTED_BY_TOOLS =
  /\.(test|config)\.ts$|^test\/((conformance|mutation|nightly|node|prose|smoke)\/main|kit\/(setup|temporary|compile-cache))\.ts$/;

/** Each rule of TypeScript files, under a name of its own. */
const RULES = {
  leftoversInSource,
  escapes,
  longFiles,
  longFunctions,
  focus,
  names: ({ path }: Source) => names(path),
  words: (source: Source) => [...privateWordsInPath(source.path), ...privateWords(source)],
};

/** Files are parsed one after the other, so that no two trees are held. */
function inspect(files: readonly TextFile[]): {
  readonly found: Readonly<Record<keyof typeof RULES, readonly Fault[]>>;
  readonly named: readonly Naming[];
  readonly classes: ReturnType<typeof exportedClasses>;
} {
  const rules = Object.entries(RULES) as [keyof typeof RULES, (source: Source) => Fault[]][];
  const found = Object.fromEntries(rules.map(([name]) => [name, [] as Fault[]])) as Record<
    keyof typeof RULES,
    Fault[]
  >;
  const classes: { name: string; fault: Fault }[] = [];
  const named = files
    .filter(({ path }) => path.endsWith('.ts'))
    .map(({ path, text }) => {
      const source = parse(path, text);
      for (const [name, rule] of rules) found[name].push(...rule(source));
      classes.push(...exportedClasses(source));
      return { path, named: namedBy(source) };
    });
  return { found, named, classes };
}

describe('the project', () => {
  const files = textFiles();
  let { found, named, classes } = inspect([]);

  beforeAll(() => {
    ({ found, named, classes } = inspect(files));
    expect(named.length).toBeGreaterThan(100);
  });

  test('holds no leftover notes', () => {
    expectNone(found.leftoversInSource);
    const prose = files.filter(({ path }) => /(\.(md|ya?ml|js|mjs)|\/run)$/.test(path));
    expectNone(prose.flatMap(({ path, text }) => leftoversInText(path, text)));
  });

  test('has no way around types, lint and coverage', () => {
    expectNone(found.escapes);
  });

  test('has no file and no function too long to read', () => {
    expectNone(found.longFiles);
    expectNone(found.longFunctions);
  });

  test('leaves no test alone, out or unwritten', () => {
    expectNone(found.focus);
  });

  test('names no folder of one machine', () => {
    expectNone(files.flatMap(({ path, text }) => machinePaths(path, text)));
  });

  test('names files and folders by their nouns', () => {
    expectNone(found.names);
  });

  test('calls things by the words of the field', () => {
    expectNone(found.words);
  });

  test('gives each name of a class one meaning', () => {
    // What checks its arguments is the same thing with the same name.
    expectNone(
      sharedNames(classes.filter(({ fault }) => !fault.where.includes('gateways/checked.'))),
    );
  });

  test('ships only files that its entry points reach', () => {
    expectNone(
      orphans(
        named,
        (path) => SHIPPED.test(path),
        (path) => /^(src|bench)\//.test(path),
      ),
    );
  });

  test('keeps only test files that a test reaches', () => {
    expectNone(
      orphans(
        named,
        (path) => STARTED_BY_TOOLS.test(path),
        (path) => path.startsWith('test/'),
      ),
    );
  });
});

describe('leftover notes', () => {
  test.each(['TODO', 'FIXME', 'XXX', 'HACK'])('%s in a comment is found', (word) => {
    const source = parse('src/a.ts', code('const a = 1;', `// ${word}: later`, 'f(a);'));
    expect(where(leftoversInSource(source))).toEqual(['src/a.ts:2']);
  });

  test('a note at the end of a block and one in a doc comment are found', () => {
    const source = parse(
      'src/a.ts',
      code('/**', ' * TODO', ' */', 'f(() => {', '  g();', '  // FIXME', '});'),
    );
    expect(where(leftoversInSource(source))).toEqual(['src/a.ts:2', 'src/a.ts:6']);
  });

  test('the word in a string is no note', () => {
    expectNone(leftoversInSource(parse('src/a.ts', code("const a = '// TODO';"))));
  });

  test('a note in prose is found', () => {
    expect(where(leftoversInText('README.md', 'a\nTODO: write'))).toEqual(['README.md:2']);
  });
});

describe('ways around checks', () => {
  test.each(['f(x as any);', 'f(<any>x);', 'f(x as unknown as any);'])('%s is found', (line) => {
    expect(where(escapes(parse('src/a.ts', code(line))))).toEqual(['src/a.ts:1']);
  });

  test.each([
    '@ts-ignore',
    '@ts-nocheck',
    'eslint-disable-next-line',
    'oxlint-disable',
    'v8 ignore next',
  ])('%s is found', (comment) => {
    expect(where(escapes(parse('src/a.ts', code(`// ${comment}`, 'f();'))))).toEqual([
      'src/a.ts:1',
    ]);
  });

  test('an expected type error is found in the sources and may stand in a test', () => {
    const text = code('// @ts-expect-error a limit order needs a price', 'f();');
    expect(where(escapes(parse('src/a.ts', text)))).toEqual(['src/a.ts:1']);
    expectNone(escapes(parse('test/a.test.ts', text)));
  });
});

describe('lengths', () => {
  const filled = (count: number): string[] => Array.from({ length: count }, () => 'f();');

  test('a file of 550 lines passes and one of 551 does not', () => {
    expectNone(longFiles(parse('src/a.ts', code(...filled(FILE_LINES_MAX)))));
    expect(longFiles(parse('src/a.ts', code(...filled(FILE_LINES_MAX + 1))))[0].message).toMatch(
      /^551 lines/,
    );
  });

  test('a table of data may be longer, one with functions in it may not', () => {
    const rows = Array.from({ length: 600 }, (_, i) => `  [${i}, 'row'],`);
    expectNone(longFiles(parse('src/a.ts', code('const a = [', ...rows, '];'))));
    const calls = Array.from({ length: 600 }, (_, i) => `  () => f(${i}),`);
    expect(longFiles(parse('src/a.ts', code('const a = [', ...calls, '];')))).toHaveLength(1);
  });

  const wrapped = (count: number): string => code('function a() {', ...filled(count), '}');

  test('a function of 70 lines passes and one of 71 does not', () => {
    expectNone(longFunctions(parse('src/a.ts', wrapped(FUNCTION_LINES_MAX - 2))));
    const faults = longFunctions(parse('src/a.ts', wrapped(FUNCTION_LINES_MAX - 1)));
    expect(where(faults)).toEqual(['src/a.ts:1']);
    expect(faults[0].message).toMatch(/^A function of 71 lines/);
  });

  test('methods and arrow functions are measured too', () => {
    const lines = filled(FUNCTION_LINES_MAX);
    const text = code(
      'class A {',
      'a() {',
      ...lines,
      '}',
      '}',
      'const b = () => {',
      ...lines,
      '};',
    );
    expect(where(longFunctions(parse('src/a.ts', text)))).toEqual(['src/a.ts:2', 'src/a.ts:75']);
  });

  test('blank lines, comments and tables inside a function are not counted', () => {
    const text = code(
      'function a() {',
      ...filled(FUNCTION_LINES_MAX - 4),
      '',
      '// why',
      'const table = [',
      ...Array.from({ length: 99 }, () => '  1,'),
      '];',
      '}',
    );
    expectNone(longFunctions(parse('src/a.ts', text)));
  });

  test('a describe is a chapter and not a function', () => {
    const text = code("describe('a', () => {", ...filled(FUNCTION_LINES_MAX), '});');
    expectNone(longFunctions(parse('test/a.test.ts', text)));
  });
});

describe('tests left alone or out', () => {
  test.each([
    "test.only('a', f);",
    "it.skip('a', f);",
    "describe.concurrent.only('a', f);",
    "test.todo('a');",
    "test.fails('a', f);",
    "test('a', { skip: true }, f);",
    "test.each([1]).only('a', f);",
  ])('%s is found', (line) => {
    expect(where(focus(parse('test/a.test.ts', code(line))))).toEqual(['test/a.test.ts:1']);
  });

  test('a condition and a reason at run time are allowed', () => {
    const text = code(
      "test.skipIf(missing)('a', f);",
      "test('b', (context) => { context.skip('no data'); });",
      'strategy.only();',
    );
    expectNone(focus(parse('test/a.test.ts', text)));
  });
});

describe('folders of one machine', () => {
  test.each(['home/me/x', 'root/x', 'work/x', 'tmp/x', 'Users/me', 'mnt/disk'])(
    '/%s is found',
    (rest) => {
      expect(where(machinePaths('docs/a.md', `see\nin \`/${rest}\` there`))).toEqual([
        'docs/a.md:2',
      ]);
    },
  );

  test('a Windows home is found', () => {
    expect(where(machinePaths('docs/a.md', ['C:', 'Users', 'me'].join('\\')))).toEqual([
      'docs/a.md:1',
    ]);
  });

  test.each([
    'https://example.org/home/page',
    '../work/x',
    'src/work/x',
    '/usr/bin/env',
    './tmp/x',
  ])('%s is none', (text) => {
    expectNone(machinePaths('docs/a.md', text));
  });
});

describe('names', () => {
  test.each([
    'src/utils/a.ts',
    'src/exchange/helpers.ts',
    'src/common/a.ts',
    'test/misc/a.test.ts',
    'src/engine/manager.ts',
    'src/engine/orderBook.ts',
    'src/Engine/order.ts',
  ])('%s is found', (path) => {
    expect(where(names(path))).toEqual([path]);
  });

  test.each([
    'src/exchange/ledger.ts',
    'src/engine/order-manager.ts',
    'test/exchange/order-book.test.ts',
    'test/model/units.property.test.ts',
    'vitest.config.ts',
  ])('%s is a good name', (path) => {
    expectNone(names(path));
  });
});

describe('private words', () => {
  test.each([
    ['a class', 'export class ToldTrades {}'],
    ['a function', 'export const refusalOf = 1;'],
    ['a member', 'interface A { readonly isTold: boolean }'],
    ['a private member', 'class A { #told = 1; }'],
    ['a parameter', 'const f = (truth: number) => truth;'],
    ['a constant', 'const MINIMUM_WORTH = 1;'],
    ['a key', 'const a = { minimumWorth: 1 };'],
    ['a destructured name', 'const { worth } = a;'],
  ])('%s with one is found', (_, line) => {
    expect(where(privateWords(parse('src/a.ts', line)))).toEqual(['src/a.ts:1']);
  });

  test('part of another word, text and tests may have their letters', () => {
    const line = "const satellite = 'told', wishlist = 1, noteworthy = 2, seating = 3;";
    expectNone(privateWords(parse('src/a.ts', line)));
    expectNone(privateWords(parse('test/a.ts', 'const told = 1;')));
  });

  test('the name of a file or of a folder with one is found', () => {
    const paths = ['src/wishes/quote.ts', 'src/engine/list-desk.ts', 'src/engine/quote.ts'];
    expect(where(paths.flatMap(privateWordsInPath))).toEqual(paths.slice(0, 2));
  });

  test('the second of two exported classes with one name is found', () => {
    const of = (path: string, text: string) => exportedClasses(parse(path, text));
    const classes = [
      ...of('src/a.ts', 'export class Rows {}'),
      ...of('src/b.ts', 'class Rows {}'),
      ...of('test/c.ts', 'export class Rows {}'),
      ...of('src/d.ts', 'export class Rows {}'),
    ];
    expect(where(sharedNames(classes))).toEqual(['src/d.ts:1']);
  });
});

describe('files that nothing reaches', () => {
  const sources = [
    parse('src/index.ts', "export type { A } from './a.ts';"),
    parse('src/a.ts', "const b = await import('./deep/b.ts');"),
    parse('src/deep/b.ts', "new Worker(new URL('./worker.ts', import.meta.url));"),
    parse('src/deep/worker.ts', "import { x } from 'millrace/testing';"),
    parse('src/testing.ts', "export type T = import('./t.ts').T;"),
    parse('src/t.ts', ''),
    parse('src/dead.ts', "import './deader.ts';"),
    parse('src/deader.ts', "import './dead.ts';"),
  ].map((source) => ({ path: source.path, named: namedBy(source) }));

  test('two dead files that import each other are found, every kind of import counts', () => {
    const faults = orphans(
      sources,
      (path) => path === 'src/index.ts',
      () => true,
    );
    expect(where(faults)).toEqual(['src/dead.ts', 'src/deader.ts']);
  });
});
