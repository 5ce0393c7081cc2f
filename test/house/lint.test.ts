import { ESLint, type Linter } from 'eslint';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './rules/tree.ts';

const INSTEAD = /src\/platform\/(scheduler|random)\.ts/;

/** Every way to read the clock, set a timer or draw by chance that a source could try. */
const BANNED = [
  'export const a = Date.now();',
  'export const a = new Date();',
  'export const a = Date();',
  'export const { now } = Date;',
  'export const a = globalThis.Date.now();',
  'export const a = new globalThis.Date();',
  'export const a = Temporal.Now;',
  'export const a = performance.now();',
  'export const a = globalThis.performance.now();',
  'setTimeout(() => {}, 1);',
  'setInterval(() => {}, 1);',
  'setImmediate(() => {});',
  'queueMicrotask(() => {});',
  'globalThis.setTimeout(() => {}, 1);',
  'global.setTimeout(() => {}, 1);',
  'process.nextTick(() => {});',
  'export const a = AbortSignal.timeout(1);',
  'export const a = Math.random();',
  'export const { random } = Math;',
  'export const a = crypto.randomUUID();',
  'export const a = crypto.getRandomValues(new Uint8Array(1));',
  'export const a = globalThis.crypto.randomUUID();',
  'export const a = process.hrtime();',
  'export const a = process.hrtime.bigint();',
  'export const a = process.uptime();',
  "export { setTimeout } from 'node:timers';",
  "export { setTimeout } from 'node:timers/promises';",
  "export { performance } from 'node:perf_hooks';",
  "export { randomUUID } from 'node:crypto';",
  "export { randomBytes } from 'crypto';",
  "export { hrtime } from 'node:process';",
  "import * as a from 'node:crypto'; export { a };",
  "import a from 'node:crypto'; export { a };",
];

const ALLOWED = [
  'export const a = new Date(0).toISOString();',
  'export const a = Date.UTC(2026, 0);',
  "export const a = Date.parse('2026-01-01');",
  "export { createHash } from 'node:crypto';",
  "export { argv } from 'node:process';",
  'export const a = Math.max(1, 2);',
];

/** Rules of typescript-eslint that need no types. */
const UNTYPED = new Set([
  '@typescript-eslint/no-explicit-any',
  '@typescript-eslint/no-non-null-assertion',
]);

let eslint: ESLint;

beforeAll(() => {
  eslint = new ESLint({
    cwd: ROOT,
    // The texts are on no disk, so the rules that ask for types have nothing to ask.
    overrideConfig: [
      {
        files: ['**/*.ts'],
        languageOptions: { parserOptions: { projectService: false, project: null } },
      },
    ],
    overrideConfigFile: null,
    ruleFilter: ({ ruleId }) => !ruleId.startsWith('@typescript-eslint/') || UNTYPED.has(ruleId),
  });
});

async function lint(path: string, text: string): Promise<Linter.LintMessage[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath: path });
  return result.messages;
}

describe.each(['src/engine/a.ts', 'src/model/a.ts', 'strategies/a.ts', 'test/engine/a.test.ts'])(
  '%s',
  (path) => {
    test.each(BANNED)('may not say: %s', async (text) => {
      const messages = await lint(path, text);
      expect(messages).not.toEqual([]);
      expect(messages.some(({ message }) => INSTEAD.test(message))).toBe(true);
    });

    test.each(ALLOWED)('may say: %s', async (text) => {
      expect(await lint(path, text)).toEqual([]);
    });
  },
);

describe('src/platform', () => {
  test.each([...BANNED, ...ALLOWED])('may say: %s', async (text) => {
    expect(await lint('src/platform/a.ts', text)).toEqual([]);
  });
});

describe('the habits of the house', () => {
  const NOT_IN_SRC = [
    ['any', 'export const a: any = 1;', '@typescript-eslint/no-explicit-any'],
    [
      'a non-null assertion',
      'export const f = (a?: 1) => a!;',
      '@typescript-eslint/no-non-null-assertion',
    ],
    ['an enum', 'export enum A { B }', 'no-restricted-syntax'],
    ['a default export', 'export default 1;', 'no-restricted-exports'],
    [
      'a default export by another name',
      'const a = 1; export { a as default };',
      'no-restricted-exports',
    ],
    ['the console', "console.log('a');", 'no-console'],
    [
      'a comment that switches a rule off',
      '/* eslint no-console: 0 */ console.log(1);',
      'no-console',
    ],
    ['a loose comparison', 'export const f = (a: number) => a == 1;', 'eqeqeq'],
  ] as const;

  test.each(NOT_IN_SRC)('%s is reported', async (_, text, rule) => {
    const found = (await lint('src/engine/a.ts', text)).map(({ ruleId }) => ruleId);
    expect(found).toContain(rule);
  });

  test.each([
    ['src/cli/a.ts', "console.log('a');"],
    ['bench/a.ts', "console.log('a');"],
    ['strategies/a.ts', 'export default 1;'],
    ['vitest.config.ts', 'export default 1;'],
    ['strategies/a.ts', "export { defineStrategy } from 'millrace';"],
  ])('%s may say: %s', async (path, text) => {
    expect(await lint(path, text)).toEqual([]);
  });

  test.each(['src/model', 'src/rules', 'src/exchange', 'src/engine', 'src/strategy', 'strategies'])(
    'in %s nothing reaches process or network',
    async (folder) => {
      for (const text of ['export const a = process.argv;', 'export const a = fetch;']) {
        const [message] = await lint(`${folder}/a.ts`, text);
        expect(message.message).toContain('take it as an argument');
      }
    },
  );

  test.each(["export * from '../src/index.ts';", "export * from './other.ts';"])(
    'a strategy may not say: %s',
    async (text) => {
      const [message] = await lint('strategies/a.ts', text);
      expect(message.message).toContain("imports from 'millrace'");
    },
  );
});
