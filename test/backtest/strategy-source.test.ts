import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { strategySource } from '../../src/backtest/strategy-source.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { temporaryFolder } from '../kit/recordings.ts';

const strategy: Strategy = defineStrategy({
  name: 'idle',
  summary: 'For tests.',
  parameters: z.object({}),
  run: () => NEVER,
});

/** Writes files into a folder of their own and gives the source of the one named `main.ts`. */
function sourceOf(files: Readonly<Record<string, string>>): ReturnType<typeof strategySource> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return strategySource(strategy, join(folder, 'own/main.ts'));
}

const MAIN = {
  'own/main.ts': `
    import { map } from 'rxjs';
    import { rule } from './rule.ts';
    import type { Kind } from "../shared/kinds.ts";
    export { other } from './missing.ts';
    const late = await import('./late.ts');
  `,
  'own/rule.ts': `import '../shared/kinds.ts'; import { a } from './main.ts';`,
  'own/late.ts': 'export const late = 1;',
  'own/unused.ts': 'export const unused = 1;',
  'shared/kinds.ts': 'export type Kind = 1;',
};

test('is the file and the local modules that it imports, and those that they import', () => {
  expect(sourceOf(MAIN).map(({ name }) => name)).toEqual([
    '',
    '../shared/kinds.ts',
    'late.ts',
    'rule.ts',
  ]);
});

test('is the same in any folder and with any line ends, and another when any module changes', () => {
  const one = sourceOf(MAIN);
  const windows = Object.entries(MAIN).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]);
  expect(sourceOf(Object.fromEntries(windows) as Record<string, string>)).toEqual(one);
  expect(sourceOf({ ...MAIN, 'own/unused.ts': '' })).toEqual(one);
  for (const name of ['own/main.ts', 'own/late.ts', 'shared/kinds.ts'] as const) {
    expect(sourceOf({ ...MAIN, [name]: `${MAIN[name]}// more` })).not.toEqual(one);
  }
});

test('without a file the functions stand for it', () => {
  const [own] = strategySource(strategy);
  expect(strategySource({ ...strategy })).toEqual([own]);
  const folder = temporaryFolder();
  rmSync(folder, { recursive: true });
  expect(strategySource(strategy, join(folder, 'gone.ts'))).toEqual([own]);
  expect(strategySource({ ...strategy, run: () => NEVER.pipe() })).not.toEqual([own]);
});
