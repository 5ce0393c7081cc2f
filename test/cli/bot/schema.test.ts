import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { botConfig } from '../../../src/cli/bot-config.ts';
import { MODEL_CONFIG } from '../../../src/backtest/config/portfolio.ts';

const schema = z.toJSONSchema(botConfig('.'), { io: 'input', unrepresentable: 'any' });

test('the schema that editors check config/bot.yaml with is that of the command (npx vitest run test/cli/bot/schema.test.ts --update rewrites it)', async () => {
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

/** Those of keys that a page does not name, as `key` or within an example: `{ key: …`. */
const missingIn = (path: string, keys: Iterable<string>): readonly string[] => {
  const page = readFileSync(path, 'utf8');
  return [...keys].filter((key) => !new RegExp(`\`${key}\`|[{ ]${key}: `).test(page));
};

test('docs/operating-a-bot.md names every key of the configuration, docs/notifications.md and docs/backtest.md those of notifications and of a portfolio on paper', () => {
  const model = new Set(
    keysOf(z.toJSONSchema(MODEL_CONFIG, { io: 'input', unrepresentable: 'any' })),
  );
  expect(model).toContain('spread');
  expect(missingIn('docs/backtest.md', model)).toEqual([]);
  const { notifications } = schema.properties ?? {};
  const ofNotifications = new Set(keysOf(notifications));
  expect(ofNotifications).toContain('telegram');
  expect(missingIn('docs/notifications.md', ofNotifications)).toEqual([]);
  // Of those that both have, such as `account`, the page of the bot may name its own alone.
  const keys = new Set(
    keysOf(schema).filter((key) => !model.has(key) && !ofNotifications.has(key)),
  );
  expect(keys).toContain('maxDailyLoss');
  expect(keys.size).toBeGreaterThan(50);
  expect(missingIn('docs/operating-a-bot.md', keys)).toEqual([]);
});
