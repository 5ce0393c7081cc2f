import { describe, expect, test } from 'vitest';
import { isLeg, legs, OrderLists } from '../../../src/exchange/orders/lists.ts';
import { NONE, Orders } from '../../../src/exchange/orders/orders.ts';
import { CONTINGENCY_TYPES, type ContingencyType } from '../../../src/model/order.ts';
import { opening } from './opening.ts';

/** A list of three orders of account 2 under the name `list`, and a plain order. */
function listed(type: ContingencyType) {
  const orders = new Orders(8);
  const lists = new OrderLists(orders);
  const members = [0, 1, 2].map(() => orders.open(opening()));
  const plain = orders.open(opening());
  const list = lists.open(2, 'list', type, [...members]);
  return { orders, lists, list, members, plain };
}

describe('a list that is opened', () => {
  test.each([
    ['allOrNone', false, [true, true, true], []],
    ['oneCancelOther', false, [true, true, true], [0, 1, 2]],
    ['oneTriggerOther', true, [true, false, false], []],
    ['oneTriggerOneCancelOther', true, [true, false, false], [1, 2]],
  ] as const)('as %s waits: %s, with active %o and legs at %o', (type, waiting, active, places) => {
    const { lists, list, members } = listed(type);
    expect(list).toEqual({
      ...{ id: 'list', contingencyType: type, account: 2, members, active, waiting },
      ...{ holds: [false, false, false], decided: false, doubled: false },
    });
    expect(legs(list)).toEqual(places.map((place) => members[place]));
    expect(members.map((order) => lists.isInactive(order))).toEqual(active.map((one) => !one));
    expect(members.map((order) => lists.ofLeg(order) === list)).toEqual(
      members.map((_, index) => (places as readonly number[]).includes(index)),
    );
    expect([0, 1, 2].map((index) => isLeg(list, index))).toEqual(
      members.map((_, index) => (places as readonly number[]).includes(index)),
    );
  });

  test('is found by each of its orders, and by its account and name', () => {
    const { lists, list, members, plain } = listed('allOrNone');
    expect(members.map((order) => lists.of(order) === list)).toEqual([true, true, true]);
    expect(lists.of(plain)).toBeUndefined();
    expect(lists.ofLeg(plain)).toBeUndefined();
    expect(lists.isInactive(plain)).toBe(false);
    expect([lists.has(2, 'list'), lists.has(3, 'list'), lists.has(2, 'other')]).toEqual([
      ...[true, false, false],
    ]);
    expect(lists.size).toBe(3);
  });
});

test('without lists no order is of one', () => {
  const orders = new Orders(1);
  const lists = new OrderLists(orders);
  const order = orders.open(opening());
  expect(lists.size).toBe(0);
  expect(lists.of(order)).toBeUndefined();
  expect(lists.ofLeg(order)).toBeUndefined();
  expect(lists.isInactive(order)).toBe(false);
});

describe('an order that ends', () => {
  test.each(CONTINGENCY_TYPES)(
    'leaves its place in an %s list empty, and the list goes with the last',
    (type) => {
      const { lists, list, members } = listed(type);
      const [first, second, third] = members;
      lists.leave(second, list);
      expect(list.members).toEqual([first, NONE, third]);
      expect(lists.of(second)).toBeUndefined();
      expect(lists.size).toBe(2);
      lists.leave(first, list);
      expect([lists.has(2, 'list'), lists.size]).toEqual([true, 1]);
      expect(legs(list)).toEqual(isLeg(list, 2) ? [third] : []);
      lists.leave(third, list);
      expect([lists.has(2, 'list'), lists.size]).toEqual([false, 0]);
    },
  );

  test('leaves other lists of its account as they are', () => {
    const { orders, lists, list, members } = listed('oneCancelOther');
    const other = orders.open(opening());
    const second = lists.open(2, 'other', 'oneCancelOther', [other]);
    for (const order of members) lists.leave(order, list);
    expect([lists.has(2, 'list'), lists.has(2, 'other')]).toEqual([false, true]);
    expect(lists.of(other)).toBe(second);
  });
});

describe('an order that replaces another', () => {
  test('takes its place in the list', () => {
    const { orders, lists, list, members } = listed('oneTriggerOneCancelOther');
    const later = orders.open(opening());
    lists.replace(members[1], later);
    expect(list.members).toEqual([members[0], later, members[2]]);
    expect(lists.of(members[1])).toBeUndefined();
    expect(lists.ofLeg(later)).toBe(list);
    expect(lists.isInactive(later)).toBe(true);
  });

  test('is of no list where the other was of none', () => {
    const { orders, lists, plain, list, members } = listed('allOrNone');
    const later = orders.open(opening());
    lists.replace(plain, later);
    expect(lists.of(later)).toBeUndefined();
    expect(list.members).toEqual(members);
  });
});

describe('legs in the book', () => {
  test('make their list doubled where more than one of them rests, until one is gone', () => {
    const { orders, lists, list, members } = listed('oneCancelOther');
    const seen: (readonly [boolean, number])[] = [];
    const look = (): void => {
      lists.recount(list);
      seen.push([list.doubled, lists.doubled]);
    };
    look();
    orders.setLevel(members[0], 7);
    look();
    orders.setLevel(members[2], 0);
    look();
    look();
    lists.leave(members[0], list);
    seen.push([list.doubled, lists.doubled]);
    expect(seen).toEqual([
      ...[
        [false, 0],
        [false, 0],
      ],
      ...[
        [true, 1],
        [true, 1],
      ],
      [false, 0],
    ]);
  });

  test('do not count while they wait for a stop price', () => {
    const { orders, lists, list, members } = listed('oneCancelOther');
    for (const order of members.slice(0, 2)) orders.setLevel(order, 7);
    orders.setStatus(members[1], 'suspended', 1);
    lists.recount(list);
    expect(list.doubled).toBe(false);
    orders.setStatus(members[1], 'new', 2);
    lists.recount(list);
    expect(list.doubled).toBe(true);
  });

  test('of several lists are counted, and a replacement counts in its place', () => {
    const { orders, lists, list, members } = listed('oneCancelOther');
    const others = [orders.open(opening()), orders.open(opening())];
    const other = lists.open(2, 'other', 'oneCancelOther', [...others]);
    for (const order of [...members, ...others]) orders.setLevel(order, 7);
    lists.recount(list);
    lists.recount(other);
    expect(lists.doubled).toBe(2);
    // What replaces a leg does not rest yet.
    lists.replace(others[0], orders.open(opening()));
    expect([list.doubled, other.doubled, lists.doubled]).toEqual([true, false, 1]);
  });

  test('of a list whose orders do not exclude each other do not count', () => {
    const { orders, lists, list, members } = listed('oneTriggerOther');
    for (const order of members) orders.setLevel(order, 7);
    lists.recount(list);
    expect([list.doubled, lists.doubled]).toEqual([false, 0]);
  });
});
