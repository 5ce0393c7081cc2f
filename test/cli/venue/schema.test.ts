import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { venueConfig } from '../../../src/cli/venue-config.ts';

const schema = z.toJSONSchema(venueConfig({ folder: '.', environment: {} }), {
  io: 'input',
  unrepresentable: 'any',
});

test('the schema that editors check config/venue.yaml with is that of the command (npx vitest run test/cli/venue/schema.test.ts --update rewrites it)', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    '../../../config/schema/venue.json',
  );
});

test('docs/venue.md names every key of the configuration', () => {
  const page = readFileSync('docs/venue.md', 'utf8');
  const keys = Object.keys(schema.properties ?? {});
  expect(keys.length).toBeGreaterThan(8);
  expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});
