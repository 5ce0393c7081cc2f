import { expect, test } from 'vitest';
import { typeErrors } from '../kit/type-check.ts';
import { blocks } from './pages.ts';

/** Pages whose code is run by their own tests, which do not look at its types. */
const PAGES = ['README.md', 'docs/gateways.md', 'docs/research.md', 'docs/recordings.md'];

test('the code of the pages on gateways, research and recordings compiles as it stands', () => {
  const files = new Map(
    PAGES.flatMap((page) =>
      blocks(page, 'ts').map((code, index): [string, string] => [
        `${page.replace('.md', '')}-${index + 1}.ts`,
        code,
      ]),
    ),
  );
  expect(files.size).toBeGreaterThan(5);
  expect(typeErrors(files)).toEqual([]);
}, 60_000);
