import { expect, test } from 'vitest';
import { stricter, TRADING_STATES } from '../../src/risk/state.ts';

test('of two states the stricter is the one that allows less, whichever comes first', () => {
  expect(TRADING_STATES).toEqual(['running', 'reducing', 'halted', 'killed']);
  for (const [one, first] of TRADING_STATES.entries()) {
    for (const [other, second] of TRADING_STATES.entries()) {
      expect(stricter(first, second)).toBe(TRADING_STATES[Math.max(one, other)]);
    }
  }
});
