import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

/** What oxlint says of a planted file: `plugin(rule)`, and the message with what to do instead. */
interface Finding {
  readonly rule: string;
  readonly message: string;
}

interface Report {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly help?: string;
    readonly filename: string;
  }[];
}

let planted = '';
const found = new Map<string, Finding[]>();
const cases: { readonly path: string; readonly text: string }[] = [];

/** Names a file to plant; `it` reads what oxlint found in it, once all were looked at in one run. */
function plant(path: string, text: string): () => readonly Finding[] {
  const folder = `case-${cases.length}`;
  cases.push({ path: `${folder}/${path}`, text });
  return () => found.get(`${folder}/${path}`) ?? [];
}

beforeAll(() => {
  planted = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-lint-')));
  copyFileSync(join(ROOT, 'oxlint.rules.js'), join(planted, 'oxlint.rules.js'));
  // The planted files belong to no program, so the rules that ask for types have nothing to ask.
  writeFileSync(
    join(planted, 'oxlint.config.ts'),
    `import config from '${ROOT}/oxlint.config.ts';
     const anywhere = (files: readonly string[] = []) => files.map((file) => file.startsWith('**') ? file : 'case-*/' + file);
     export default {
       ...config,
       options: {},
       overrides: config.overrides?.map((one) => ({ ...one, files: anywhere(one.files), excludeFiles: anywhere(one.excludeFiles) })),
     };`,
  );
  for (const { path, text } of cases) {
    mkdirSync(dirname(join(planted, path)), { recursive: true });
    writeFileSync(join(planted, path), `${text}\n`);
  }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '-c', 'oxlint.config.ts', '-f', 'json'],
    { cwd: planted, encoding: 'utf8', maxBuffer: 1e8 },
  );
  expect(stderr).toBe('');
  for (const { code, message, help, filename } of (JSON.parse(stdout) as Report).diagnostics) {
    const findings = found.get(filename) ?? [];
    findings.push({ rule: code, message: `${message} ${help ?? ''}` });
    found.set(filename, findings);
  }
});

afterAll(() => {
  rmSync(planted, { recursive: true, force: true });
});

/** Tests that a file with each text is found fault with, or is not. */
function eachOf(
  texts: readonly string[],
  title: string,
  path: string,
  check: (findings: readonly Finding[]) => void,
): void {
  const planting = texts.map((text) => [text, plant(path, text)] as const);
  test.each(planting)(title, (_, findings) => {
    check(findings());
  });
}

const none = (findings: readonly Finding[]): void => {
  expect(findings).toEqual([]);
};

describe.each(['src/engine/a.ts', 'src/model/a.ts', 'strategies/a.ts', 'test/engine/a.test.ts'])(
  '%s',
  (path) => {
    eachOf(BANNED, 'may not say: %s', path, (findings) => {
      expect(findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(INSTEAD));
    });
    eachOf(ALLOWED, 'may say: %s', path, none);
  },
);

describe('src/platform', () => {
  eachOf([...BANNED, ...ALLOWED], 'may say: %s', 'src/platform/a.ts', none);
});

describe('the habits of the house', () => {
  const NOT_IN_SRC = [
    ['any', 'export const a: any = 1;', 'typescript(no-explicit-any)'],
    [
      'a non-null assertion',
      'export const f = (a?: 1) => a!;',
      'typescript(no-non-null-assertion)',
    ],
    ['an enum', 'export enum A { B }', 'millrace(no-enum)'],
    ['a default export', 'export default 1;', 'eslint(no-restricted-exports)'],
    [
      'a default export by another name',
      'const a = 1; export { a as default };',
      'eslint(no-restricted-exports)',
    ],
    ['the console', "console.log('a');", 'eslint(no-console)'],
    [
      'a comment that switches a rule off',
      '/* eslint no-console: 0 */ console.log(1);',
      'eslint(no-console)',
    ],
    ['a loose comparison', 'export const f = (a: number) => a == 1;', 'eslint(eqeqeq)'],
  ] as const;

  const planting = NOT_IN_SRC.map(
    ([what, text, rule]) => [what, rule, plant('src/engine/a.ts', text)] as const,
  );
  test.each(planting)('%s is reported', (_, rule, findings) => {
    expect(findings().map((finding) => finding.rule)).toContain(rule);
  });

  for (const [path, text] of [
    ['src/cli/a.ts', "console.log('a');"],
    ['bench/a.ts', "console.log('a');"],
    ['strategies/a.ts', 'export default 1;'],
    ['a.config.ts', 'export default 1;'],
    ['strategies/a.ts', "export { defineStrategy } from 'millrace';"],
  ] as const) {
    eachOf([text], `${path} may say: %s`, path, none);
  }

  for (const folder of ['model', 'rules', 'exchange', 'engine', 'strategy', '../strategies']) {
    const path = join('src', folder, 'a.ts');
    eachOf(
      ['export const a = process.argv;', 'export const a = fetch;'],
      `${path} reaches no process or network: %s`,
      path,
      (findings) => {
        expect(findings[0]?.message).toContain('take it as an argument');
      },
    );
  }

  eachOf(
    ["export * from '../src/index.ts';", "export * from './other.ts';"],
    'a strategy may not say: %s',
    'strategies/a.ts',
    (findings) => {
      expect(findings[0]?.message).toContain("imports from 'millrace'");
    },
  );
});
