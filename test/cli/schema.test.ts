import { expect, test } from 'vitest';
import { z } from 'zod';
import { BACKTEST_CONFIG } from '../../src/backtest/config/config.ts';
import { MAPPING_CONFIG } from '../../src/cli/mapping-config.ts';

test('the schema that editors check config/backtest.yaml with is that of the command (npx vitest run test/cli/schema.test.ts --update rewrites it)', async () => {
  const schema = z.toJSONSchema(BACKTEST_CONFIG, { io: 'input', unrepresentable: 'any' });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    '../../config/schema/backtest.json',
  );
});

test('the schema of mappings is that of --mapping', async () => {
  const schema = z.toJSONSchema(MAPPING_CONFIG, { io: 'input', unrepresentable: 'any' });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    '../../config/schema/mapping.json',
  );
});
