import { expect, test } from 'vitest';
import { suggest } from '../../src/model/suggest.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'size', 'price'] as const;

test.each([
  ['colse', 'close'],
  ['tiem', 'time'],
  ['opne', 'open'],
  ['hihg', 'high'],
  ['Closed', 'close'],
  ['prices', 'price'],
])('%s may have been meant for %s', (written, word) => {
  expect(suggest(written, COLUMNS)).toBe(word);
});

test.each(['foo', 'date', 'volume', 'x'])('%s is like none of the words', (written) => {
  expect(suggest(written, ['open', 'high', 'low', 'close', 'size', 'price'])).toBeUndefined();
});

test('a short word that begins alike may have two slips', () => {
  expect(suggest('buy', ['bid', 'ask'])).toBe('bid');
  expect(suggest('sell', ['bid', 'ask'])).toBeUndefined();
});

test('longer words may be a little further off, and the nearest is taken', () => {
  const known = ['postOnly', 'timeInForce', 'takeRate', 'makeRate'];
  expect(suggest('post_only', known)).toBe('postOnly');
  expect(suggest('time_in_force', known)).toBe('timeInForce');
  expect(suggest('tkaerate', known)).toBe('takeRate');
  expect(suggest('reduceOnly', known)).toBeUndefined();
});

test('a name that was changed leads to the name that it has now', () => {
  expect(suggest('minimumWorth', ['maximumCost', 'minimumValue'])).toBe('minimumValue');
  expect(suggest('otherBalances', ['balances', 'nonSpotBalances'])).toBe('nonSpotBalances');
  expect(suggest('worth', ['wallets', 'prices'])).toBe('prices');
  expect(suggest('worth', ['wallets'])).toBeUndefined();
  expect(suggest('place', ['location', 'url'])).toBe('location');
  expect(suggest('bound', ['location', 'tolerance'])).toBe('tolerance');
  expect(suggest('slots', ['kind', 'holdings'])).toBe('holdings');
});

test('two neighbours that changed places are one slip, and no other two letters are', () => {
  expect(suggest('ibd', ['bid'])).toBe('bid');
  expect(suggest('kbd', ['bid'])).toBeUndefined();
  expect(suggest('ixd', ['bid'])).toBeUndefined();
  expect(suggest('xdi', ['bid'])).toBeUndefined();
});

test('the first of several words that are as near is taken', () => {
  expect(suggest('bad', ['bed', 'bid'])).toBe('bed');
  expect(suggest('bidd', ['bed', 'bid'])).toBe('bid');
});
