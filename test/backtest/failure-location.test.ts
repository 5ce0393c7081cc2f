import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { failureLocation } from '../../src/backtest/failure-location.ts';

const file = join(process.cwd(), 'strategies', 'my own.ts');
const url = pathToFileURL(file).href;

test('the first frame in the file counts, whichever way it is written', () => {
  const inner = '    at map (file:///somewhere/rxjs/map.js:9:1)';
  const stack = (frame: string): string => ['Error: at my own.ts:1:1', inner, frame].join('\n');
  const place = 'strategies/my own.ts:12';
  expect(failureLocation(stack(`    at ${url}:12:34\n    at ${url}:99:1`), file)).toBe(place);
  expect(failureLocation(stack(`    at run (${url}:12:34)`), file)).toBe(place);
  expect(failureLocation(stack(`    at new Foo.bar [as x] (${file}:12:34)`), file)).toBe(place);
  expect(failureLocation(stack(`    at async ${file}:12:34`), file)).toBe(place);
});

test('a stack that never was in the file has no place, and neither has none', () => {
  expect(failureLocation(`Error: no\n    at other (${url}x:1:1)`, file)).toBeUndefined();
  expect(failureLocation('    at <anonymous>', file)).toBeUndefined();
  expect(failureLocation(undefined, file)).toBeUndefined();
});

test('of a file outside of the working directory only the name is reported', () => {
  expect(failureLocation('    at /far/away/mine.ts:3:4', '/far/away/mine.ts')).toBe('mine.ts:3');
});
