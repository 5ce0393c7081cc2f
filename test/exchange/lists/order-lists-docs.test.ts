import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linesOf, played } from '../script.ts';

const PAGE = new URL('../../../docs/order-lists.md', import.meta.url);
const SCRIPTS = [...readFileSync(PAGE, 'utf8').matchAll(/^```script\n(.*?)^```$/gms)].map(
  ([, script]) => script,
);

test('docs/order-lists.md has worked examples', () => {
  expect(SCRIPTS.length).toBeGreaterThan(6);
});

test.each(SCRIPTS)('the page tells what the exchange tells: %s', (script) => {
  expect(played(script)).toEqual(linesOf(script));
});
