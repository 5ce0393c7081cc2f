import { expect, test } from 'vitest';
import { typeErrors } from '../kit/type-check.ts';
import { blocks } from './pages.ts';

/** Pages whose code is run by their own tests, which do not look at its types. */
const PAGES = [
  ...['README.md', 'docs/gateways.md', 'docs/notebooks.md', 'docs/research.md'],
  'docs/recordings.md',
];

/** What the kernel of a notebook gives, which is not installed here. */
const KERNEL = `declare module 'tslab' {
  export const display: { html(text: string): void };
}
`;

test('the code of the pages on gateways, notebooks, research and recordings compiles as it stands', () => {
  const files = new Map(
    PAGES.flatMap((page) =>
      blocks(page, 'ts').map((code, index): [string, string] => [
        `${page.replace('.md', '')}-${index + 1}.ts`,
        code,
      ]),
    ),
  );
  expect(files.size).toBeGreaterThan(3);
  files.set('docs/tslab.d.ts', KERNEL);
  expect(typeErrors(files)).toEqual([]);
}, 60_000);
