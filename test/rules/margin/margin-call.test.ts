import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { isCalledAt } from '../../../src/rules/margin/margin-call.ts';

const at = (lots: number, mark?: string, call?: string): boolean =>
  isCalledAt(
    { lots, ...(call === undefined ? {} : { marginCallPrice: decimal(call) }) },
    mark === undefined ? undefined : decimal(mark),
  );

test('a long is called at its margin-call price and below, a short at it and above', () => {
  expect(['99', '100', '101'].map((mark) => at(1, mark, '100'))).toEqual([true, true, false]);
  expect(['99', '100', '101'].map((mark) => at(-1, mark, '100'))).toEqual([false, true, true]);
});

test('nothing is called without a mark price, or without a price that brings it about', () => {
  for (const lots of [1, -1])
    expect([at(lots, undefined, '100'), at(lots, '100')]).toEqual([false, false]);
});
