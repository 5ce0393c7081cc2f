import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/model/decimal.ts';
import type { ContingencyType, Order } from '../../src/model/order.ts';
import { count, isNoLarger, most } from '../../src/risk/counting.ts';
import { remainingLots } from '../../src/risk/limits/measures.ts';
import { open } from './view.ts';

const lots = (order: Order): Decimal => new Decimal(remainingLots(order));
const mostOf = (...orders: readonly Order[]): number => most(orders, lots).toNumber();

const listed = (contingencyType: ContingencyType, orderListId: string, ...all: number[]) =>
  all.map((size, listIndex) => open({ lots: size, orderListId, contingencyType, listIndex }));

describe('the most that orders come to', () => {
  test('is nothing of none, and of plain orders their sum', () => {
    expect(mostOf()).toBe(0);
    expect(mostOf(open({ lots: 3 }), open({ lots: 5, filledLots: 1 }))).toBe(7);
  });

  test('has each list for itself, and beside them every order of none', () => {
    const orders = [
      ...listed('oneCancelOther', 'a', 3, 5),
      open({ lots: 7 }),
      ...listed('oneTriggerOneCancelOther', 'b', 11, 13, 17),
      open({ lots: 19 }),
      ...listed('oneCancelOther', 'c', 23, 2),
      ...listed('allOrNone', 'd', 29, 31),
      ...listed('oneTriggerOther', 'e', 37, 41),
    ];
    expect(mostOf(...orders)).toBe(5 + 7 + 11 + 17 + 19 + 23 + 29 + 31 + 37 + 41);
  });

  test('has of a chain of replacements the largest, in whichever order they are', () => {
    const chain = [
      open({ clientOrderId: 'a', lots: 3 }),
      open({ clientOrderId: 'b', lots: 7, replaces: 'a' }),
      open({ clientOrderId: 'c', lots: 5, replaces: 'b' }),
    ];
    expect(mostOf(...chain)).toBe(7);
    expect(mostOf(...chain.toReversed())).toBe(7);
    expect(mostOf(open({ lots: 2 }), ...chain)).toBe(9);
  });

  test('has a replacement whole where the order that it replaced is gone', () => {
    expect(mostOf(open({ lots: 3 }), open({ lots: 5, replaces: 'gone' }))).toBe(8);
  });

  test('has each order for itself where they name each other, which no venue does', () => {
    const one = open({ clientOrderId: 'a', lots: 3, replaces: 'b' });
    const other = open({ clientOrderId: 'b', lots: 5, replaces: 'a' });
    expect(mostOf(one, other)).toBe(8);
  });

  test('has a replacement of an order of a list in its place there', () => {
    const [first, second] = listed('oneCancelOther', 'a', 3, 5);
    const later = open({
      ...second,
      lots: 9,
      replaces: second.clientOrderId,
      clientOrderId: 'new',
    });
    expect(mostOf(first, second, later)).toBe(9);
  });
});

test('a request makes nothing larger up to what orders come to already', () => {
  const before = [open({ lots: 3 }), open({ lots: 5 })];
  expect(isNoLarger(new Decimal(8), before, lots)).toBe(true);
  expect(isNoLarger(new Decimal(9), before, lots)).toBe(false);
});

test('an order and what is to replace it are one, each of a list counts', () => {
  const old = open({ clientOrderId: 'a' });
  expect(count([])).toBe(0);
  expect(count([old, open()])).toBe(2);
  expect(count([old, open({ replaces: 'a' })])).toBe(1);
  expect(count([old, open({ replaces: 'gone' })])).toBe(2);
  expect(count(listed('oneCancelOther', 'l', 1, 1))).toBe(2);
});
