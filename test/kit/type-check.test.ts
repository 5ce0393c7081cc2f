import { expect, test } from 'vitest';
import { typeErrors } from './type-check.ts';

test('code is checked as if it were in the project, by its settings and beside its sources', () => {
  const files = new Map([
    [
      'docs/sound.ts',
      "import { target } from 'millrace';\nexport const a = target('BTCUSDT', 0.5);\n",
    ],
    ['strategies/own.ts', "import { z } from 'millrace';\nexport const schema = z.object({});\n"],
    ['test/strategies/own.test.ts', "export { schema } from '../../strategies/own.ts';\n"],
    ['docs/value.ts', "export const a: number = 'text';\n"],
    ['docs/name.ts', "export { nothing } from 'millrace';\n"],
    ['docs/module.ts', "export * from './nowhere.ts';\n"],
    ['docs/syntax.ts', 'export const a = ;\n'],
    ['docs/unused.ts', 'const a = 1;\nexport {};\n'],
  ]);
  const found = typeErrors(files).map((line) => line.split(':')[0]);
  expect([...new Set(found)].sort()).toEqual([
    ...['docs/module.ts', 'docs/name.ts', 'docs/syntax.ts', 'docs/unused.ts', 'docs/value.ts'],
  ]);
});
