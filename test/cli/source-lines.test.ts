import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { withSourceLines } from '../../src/cli/source-lines.ts';
import { temporaryFolder } from '../kit/recordings.ts';

/** A built file whose second line comes from the third line of its source. */
function built(map: string): { readonly url: string; readonly source: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'chunk.js.map'), map);
  return {
    url: pathToFileURL(join(folder, 'chunk.js')).href,
    source: join(folder, 'src/fault.ts'),
  };
}

const MAP = JSON.stringify({
  version: 3,
  file: 'chunk.js',
  names: [],
  sources: ['./src/fault.ts'],
  mappings: ';AAEA',
});

test('a place in a built file becomes that in its source, and the rest of the stack stays', () => {
  const { url, source } = built(MAP);
  const stack = `Error: no\n    at fail (${url}:2:1)\n    at async ${url}:2:5\n    at node:fs:1:2`;
  expect(withSourceLines(stack)).toBe(
    `Error: no\n    at fail (${source}:3:1)\n    at async ${source}:3:1\n    at node:fs:1:2`,
  );
});

test('a place stays as it is where no map is beside the file, a broken one, or none of it', () => {
  const places = [
    `${pathToFileURL(join(temporaryFolder(), 'none.js')).href}:2:1`,
    `${built('{').url}:2:1`,
    `${built(MAP).url}:1:1`,
    'file:///src/fault.ts:2:1',
  ];
  const stack = `Error: no\n${places.map((place) => `    at ${place}`).join('\n')}`;
  expect(withSourceLines(stack)).toBe(stack);
});
