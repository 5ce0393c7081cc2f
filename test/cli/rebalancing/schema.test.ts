import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { rebalancingConfig } from '../../../src/cli/rebalancing-config.ts';

const schema = z.toJSONSchema(rebalancingConfig('.'), { io: 'input', unrepresentable: 'any' });

test('the schema that editors check config/rebalancing.yaml with is that of the command (npx vitest run test/cli/rebalancing/schema.test.ts --update rewrites it)', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    '../../../config/schema/rebalancing.json',
  );
});

test('docs/rebalancing.md names every key of the configuration', () => {
  const page = readFileSync('docs/rebalancing.md', 'utf8');
  const keys = Object.keys(schema.properties ?? {});
  expect(keys.length).toBeGreaterThan(7);
  expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});
