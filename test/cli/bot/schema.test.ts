import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { botConfig } from '../../../src/cli/bot-config.ts';

const schema = z.toJSONSchema(botConfig('.'), { io: 'input', unrepresentable: 'any' });

test('the schema that editors check config/bot.yaml with is that of the command (npx vitest run test/cli/bot/schema.test.ts --update writes it anew)', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    '../../../config/schema/bot.json',
  );
});

/** Every key that the schema knows, at any depth; names that the user chooses are no keys. */
function keysOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties, additionalProperties, anyOf, items } = node as Record<string, unknown>;
  const own = Object.entries((properties ?? {}) as Record<string, unknown>);
  const below = [additionalProperties, items, ...((anyOf ?? []) as unknown[])];
  return [...own.flatMap(([key, value]) => [key, ...keysOf(value)]), ...below.flatMap(keysOf)];
}

test('docs/operating-a-bot.md names every key of the configuration', () => {
  const page = readFileSync('docs/operating-a-bot.md', 'utf8');
  const keys = [...new Set(keysOf(schema))];
  expect(keys).toContain('maxDailyLoss');
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});
