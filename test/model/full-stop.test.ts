import { expect, test } from 'vitest';
import { fullStop } from '../../src/model/full-stop.ts';

test.each([
  ['It ends', 'It ends.'],
  ['It ends.', 'It ends.'],
  ['Does it?', 'Does it?'],
  ['It does!', 'It does!'],
  ['It goes on…', 'It goes on…'],
  ['1.5 is a price', '1.5 is a price.'],
])('%j ends as %j', (sentence, ended) => {
  expect(fullStop(sentence)).toBe(ended);
});
