import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import config, { MAY_IMPORT } from '../../.dependency-cruiser.mjs';
import { ROOT } from './rules/tree.ts';

type Tree = Readonly<Record<string, string>>;

const { options, forbidden } = config;

/** Breaks of the import rule as `rule: from → to`, sorted. */
async function breaks(baseDir: string, folders: string[]): Promise<string[]> {
  const { output } = await cruise(
    folders,
    { ...options, baseDir, validate: true, ruleSet: { forbidden } },
    options.enhancedResolveOptions,
  );
  return (output as ICruiseResult).summary.violations
    .map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
    .sort();
}

/** Packages stand in for the real ones; only their names matter to the rule. */
const PACKAGES = ['decimal.js', 'rxjs', 'zod', 'vitest', 'yaml'];

const SOUND: Tree = {
  'package.json': JSON.stringify({
    name: 'millrace',
    type: 'module',
    exports: {
      '.': { 'millrace-source': './src/index.ts' },
      './testing': { 'millrace-source': './src/testing.ts' },
    },
    dependencies: { zod: '1.0.0' },
    peerDependencies: { 'decimal.js': '^1.0.0', rxjs: '^1.0.0' },
    devDependencies: { 'decimal.js': '1.0.0', rxjs: '1.0.0', vitest: '1.0.0', yaml: '1.0.0' },
  }),
  ...Object.fromEntries(
    PACKAGES.flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, main: './index.js' })],
      [`node_modules/${name}/index.js`, 'export {};'],
    ]),
  ),
  'src/index.ts': "export { a } from './model/a.ts';",
  'src/testing.ts': "export { r } from './engine/r.ts';",
  'src/platform/time.ts': 'export type Micros = number;',
  'src/config/document.ts': "import 'node:fs'; export const d = 1;",
  'src/platform/system-scheduler.ts': 'export const s = 1;',
  'src/model/a.ts':
    "import 'decimal.js'; import type { Micros } from '../platform/time.ts'; export const a: Micros = 1;",
  'src/engine/r.ts': "import 'rxjs'; export { a as r } from '../model/a.ts';",
  'src/cli/main.ts': "import 'node:fs'; import 'yaml'; import '../engine/r.ts';",
  'src/cli/commands/lazy.ts':
    "import type { Lazy } from '../actions/lazy.ts'; export const l: () => Promise<Lazy> = () => import('../actions/lazy.ts');",
  'src/cli/actions/lazy.ts': "import 'zod'; export type Lazy = object;",
  'strategies/s.ts': "import { a } from 'millrace'; import 'rxjs'; export default a;",
  'test/strategies/s.test.ts':
    "import 'vitest'; import 'millrace/testing'; import '../../strategies/s.ts';",
};

/** Each fault: what it is, the files that have it, and what is reported of them. */
const FAULTS: readonly [string, Tree, string][] = [
  [
    'an import that the table does not list',
    { 'src/model/upward.ts': "import '../engine/r.ts';" },
    'imports-of-model: src/model/upward.ts → src/engine/r.ts',
  ],
  [
    'a type import that the table does not list',
    {
      'src/platform/typed.ts': "import type { a } from '../model/a.ts'; export type B = typeof a;",
    },
    'imports-of-platform: src/platform/typed.ts → src/model/a.ts',
  ],
  [
    'a re-export that the table does not list',
    { 'src/rules/exporter.ts': "export * from '../engine/r.ts';" },
    'imports-of-rules: src/rules/exporter.ts → src/engine/r.ts',
  ],
  [
    'a dynamic import that the table does not list',
    { 'src/feeds/dynamic.ts': "export const b = import('../engine/r.ts');" },
    'imports-of-feeds: src/feeds/dynamic.ts → src/engine/r.ts',
  ],
  [
    'a folder that imports the front door',
    { 'src/engine/visitor.ts': "import '../index.ts';" },
    'imports-of-engine: src/engine/visitor.ts → src/index.ts',
  ],
  [
    'a source that imports a test',
    { 'src/engine/tested.ts': "import '../../test/t.ts';", 'test/t.ts': '' },
    'imports-of-engine: src/engine/tested.ts → test/t.ts',
  ],
  [
    'a front door that opens on more than its rooms',
    { 'src/index.ts': "export { r } from './engine/r.ts'; export * from './model/a.ts';" },
    'imports-of-index: src/index.ts → src/engine/r.ts',
  ],
  [
    'a node module in model',
    { 'src/model/reader.ts': "import { readFileSync } from 'node:fs';" },
    'pure-core: src/model/reader.ts → fs',
  ],
  [
    'a package other than decimal.js in exchange',
    { 'src/exchange/stream.ts': "import { Subject } from 'rxjs';" },
    'pure-core: src/exchange/stream.ts → node_modules/rxjs/index.js',
  ],
  [
    'a node module in the engine',
    { 'src/engine/socket.ts': "import 'node:net';" },
    'no-node-modules: src/engine/socket.ts → net',
  ],
  [
    'the real clock in model',
    { 'src/model/clock.ts': "import '../platform/system-scheduler.ts';" },
    'no-process: src/model/clock.ts → src/platform/system-scheduler.ts',
  ],
  [
    'the reader of configuration files in strategy',
    { 'src/strategy/settings.ts': "import '../config/document.ts';" },
    'no-process: src/strategy/settings.ts → src/config/document.ts',
  ],
  [
    'a part of the engine that imports what wires it',
    { 'src/engine/orders/wired.ts': "import '../r.ts';" },
    'order-of-engine-orders: src/engine/orders/wired.ts → src/engine/r.ts',
  ],
  [
    'a part of the engine that imports one that comes after it',
    {
      'src/engine/market/later.ts': "import '../managed-orders/w.ts';",
      'src/engine/managed-orders/w.ts': 'export const w = 1;',
    },
    'order-of-engine-market: src/engine/market/later.ts → src/engine/managed-orders/w.ts',
  ],
  [
    'a folder that the table does not know',
    { 'src/attic/old.ts': "import '../model/a.ts';" },
    'folder-without-row: src/attic/old.ts → src/model/a.ts',
  ],
  [
    'a folder of the bot that imports one further up there',
    {
      'src/bot/journal/row.ts': "import type { K } from '../account/keeper.ts'; export type R = K;",
      'src/bot/account/keeper.ts': 'export type K = object;',
    },
    'order-of-bot-journal: src/bot/journal/row.ts → src/bot/account/keeper.ts',
  ],
  [
    'a folder of the engine that imports a file of the engine itself',
    { 'src/engine/orders/caller.ts': "import '../r.ts';" },
    'order-of-engine-orders: src/engine/orders/caller.ts → src/engine/r.ts',
  ],
  [
    'a folder of the bot without a place in the order',
    { 'src/bot/cellar/old.ts': "import '../../model/a.ts';" },
    'place-in-bot: src/bot/cellar/old.ts → src/model/a.ts',
  ],
  [
    'an import of a command',
    { 'src/backtest/command.ts': "import '../cli/main.ts';" },
    'nothing-imports-cli: src/backtest/command.ts → src/cli/main.ts',
  ],
  [
    'a strategy that imports a file of src',
    { 'strategies/inside.ts': "import '../src/model/a.ts';" },
    'imports-of-strategies: strategies/inside.ts → src/model/a.ts',
  ],
  [
    'a strategy that imports a node module',
    { 'strategies/file.ts': "import 'node:fs';" },
    'imports-of-strategies: strategies/file.ts → fs',
  ],
  [
    'a strategy that imports another package',
    { 'strategies/schema.ts': "import 'zod';" },
    'imports-of-strategies: strategies/schema.ts → node_modules/zod/index.js',
  ],
  [
    'a test of a strategy that reaches behind the front door',
    { 'test/strategies/inside.test.ts': "import '../../src/engine/r.ts';" },
    'imports-of-strategy-tests: test/strategies/inside.test.ts → src/engine/r.ts',
  ],
  [
    'a command that imports what it does',
    {
      'src/cli/commands/eager.ts':
        "import { act } from '../actions/eager.ts'; export const e = act;",
      'src/cli/actions/eager.ts': 'export const act = 1;',
    },
    'actions-on-demand: src/cli/commands/eager.ts → src/cli/actions/eager.ts',
  ],
  [
    'a command that imports a package for its help',
    { 'src/cli/commands/heavy.ts': "import 'zod';" },
    'grammar-of-commands: src/cli/commands/heavy.ts → node_modules/zod/index.js',
  ],
  [
    'a command that imports a part of Millrace',
    { 'src/cli/commands/deep.ts': "import '../../engine/r.ts';" },
    'grammar-of-commands: src/cli/commands/deep.ts → src/engine/r.ts',
  ],
  [
    'a cycle',
    {
      'src/feeds/egg.ts': "import { c } from './hen.ts'; export const b = c;",
      'src/feeds/hen.ts': "import { b } from './egg.ts'; export const c = b;",
    },
    'no-cycle: src/feeds/egg.ts → src/feeds/hen.ts',
  ],
  [
    'a cycle of types',
    {
      'src/feeds/egg-type.ts': "import type { C } from './hen-type.ts'; export type B = C[];",
      'src/feeds/hen-type.ts': "import type { B } from './egg-type.ts'; export type C = B[];",
    },
    'no-cycle: src/feeds/egg-type.ts → src/feeds/hen-type.ts',
  ],
  [
    'an import that leads nowhere',
    { 'src/feeds/lost.ts': "import './nowhere.ts';" },
    'resolvable: src/feeds/lost.ts → ./nowhere.ts',
  ],
  [
    'a development package in what ships',
    { 'src/feeds/tool.ts': "import 'vitest';" },
    'declared-packages: src/feeds/tool.ts → node_modules/vitest/index.js',
  ],
];

describe('the import rule', () => {
  let folder: string;
  let faults: readonly string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-imports-'));
    // All in one tree, as a walk through a tree takes longer than a fault in it.
    faults = await broken('faults', Object.assign({}, ...FAULTS.map(([, tree]) => tree)) as Tree);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Writes a tree of its own, so that nothing is remembered from one to the next. */
  function plant(name: string, tree: Tree): string {
    const root = join(folder, name);
    for (const [path, text] of Object.entries({ ...SOUND, ...tree })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${text}\n`);
    }
    return root;
  }

  const broken = async (name: string, tree: Tree): Promise<string[]> =>
    breaks(plant(name, tree), ['src', 'strategies', 'test']);

  test('finds nothing in a sound tree', async () => {
    expect(await broken('sound', {})).toEqual([]);
  });

  test('plants each fault in files of its own, so that none stands for another', () => {
    const paths = FAULTS.flatMap(([, tree]) => Object.keys(tree));
    expect(new Set(paths).size).toBe(paths.length);
  });

  test.each(FAULTS)('reports %s', (_, __, expected) => {
    expect(faults).toContain(expected);
  });

  test('holds in this project', async () => {
    expect(await breaks(ROOT, ['src', 'strategies', 'test', 'bench'])).toEqual([]);
  });

  test('lists only folders further up, so that the table itself has no cycle', () => {
    const order = Object.keys(MAY_IMPORT);
    for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
      for (const below of allowed) {
        expect(order.indexOf(below), `${folder} → ${below}`).toBeLessThan(order.indexOf(folder));
        expect(order, `${folder} → ${below}`).toContain(below);
      }
    }
  });
});
