import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecentClientOrderIds } from '../../../src/exchange/orders/recent-client-order-ids.ts';
import { ClientOrderIds, HELD } from '../../../src/exchange/orders/client-order-ids.ts';
import { NONE, Orders } from '../../../src/exchange/orders/orders.ts';
import { FIELD } from '../../../src/exchange/orders/record.ts';
import { opening } from './opening.ts';

/** Another number for each, from all over the range: neighbours have hashes of their own. */
const scattered = (number: number): number => Math.imul(number, 0x85ebca6b) >>> 1;

test.each([
  ['a few blocks', 2_500, 12],
  ['many blocks', 9_000, 15],
])('holds what was added and is not free, whatever the hashes, in %s', (_, most, numRuns) => {
  const step = fc.record({
    adds: fc.integer({ min: 0, max: most }),
    frees: fc.integer({ min: 0, max: most }),
    bits: fc.constantFrom(3, 12, 31),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
      const held = new RecentClientOrderIds();
      const names: { hash: number; account: number; id: string; at: number }[] = [];
      held.until = -1;
      const has = (index: number): boolean => {
        const { hash, account, id } = names[index];
        return held.has(hash, account, id);
      };
      for (const { adds, frees, bits } of steps) {
        for (let i = 0; i < adds; i += 1) {
          const number = names.length;
          // Few bits make many names share a bucket and its marks.
          const hash = (Math.imul(number, 0x9e3779b1) >>> 1) & (2 ** bits - 1);
          const name = { hash, account: number % 3, id: `name-${number}`, at: number >> 2 };
          names.push(name);
          held.add(hash, name.account, name.id, name.at);
        }
        const until = Math.min(held.until + (frees >> 2), (names.length - 1) >> 2);
        held.until = until;
        while (held.dueAt <= until) held.drop();
        const wrong: number[] = [];
        for (let i = frees % 7; i < names.length; i += 7) {
          if (has(i) !== names[i].at > until) wrong.push(i);
        }
        expect(wrong).toEqual([]);
        const { hash, account, id } = names.at(-1) ?? { hash: 0, account: 0, id: '' };
        expect(held.has(hash, account + 1, id)).toBe(false);
        expect(held.has(hash, account, `${id}-`)).toBe(false);
      }
    }),
    { numRuns, seed: 1 },
  );
});

test('names go a block at a time, when the last of it is free', () => {
  const held = new RecentClientOrderIds();
  for (let i = 0; i < 1_023; i += 1) held.add(i, 0, `name-${i}`, i);
  expect(held.dueAt).toBe(Infinity);
  held.add(1_023, 0, 'name-1023', 1_023);
  held.add(1_024, 0, 'name-1024', 1_024);
  expect(held.dueAt).toBe(1_023);
  held.drop();
  expect(held.dueAt).toBe(Infinity);
  expect(held.has(1_023, 0, 'name-1023')).toBe(false);
  expect(held.has(1_024, 0, 'name-1024')).toBe(true);
});

describe('what leads to held names', () => {
  /** Adds so many names, each held until so many more have come; looks after each. */
  function steadily(count: number, heldFor: number, look: (held: RecentClientOrderIds) => void) {
    const held = new RecentClientOrderIds();
    const wrong: number[] = [];
    for (let i = 0; i < count; i += 1) {
      held.add(scattered(i), 0, `name-${i}`, i);
      held.until = i - heldFor;
      if (held.dueAt <= held.until) held.drop();
      look(held);
      const edge = i - heldFor;
      if (edge < 0) continue;
      if (held.has(scattered(edge), 0, `name-${edge}`)) wrong.push(edge);
      if (!held.has(scattered(edge + 1), 0, `name-${edge + 1}`)) wrong.push(edge + 1);
    }
    expect(wrong).toEqual([]);
    return held;
  }
  const generations = (held: RecentClientOrderIds): number[] => {
    const buckets: number[] = [];
    let one: (typeof held)['latest'] | undefined = held['latest'];
    for (; one !== undefined; one = one.previous) buckets.push(one.marks.length);
    return buckets;
  };

  test('does not stay where as many names come as go', () => {
    let most = 0;
    steadily(16_000, 2_500, (held) => (most = Math.max(most, generations(held).length)));
    expect(most).toBe(2);
  });

  test('is as much as the names need', () => {
    // A bucket takes 8 ÷ 3 names: 512 of them up to 1,365, and 1,024 up to 2,730.
    expect(generations(steadily(9_000, 300, () => undefined)).at(-1)).toBe(512);
    expect(generations(steadily(12_000, 3_000, () => undefined))).toEqual([2_048, 2_048]);
    // Where none goes, each generation has four times the buckets of the one before.
    const all = new RecentClientOrderIds();
    for (let i = 0; i < 2_048; i += 1) all.add(scattered(i), 0, `name-${i}`, i);
    expect(generations(all)).toEqual([512]);
    all.add(scattered(2_048), 0, 'name-2048', 2_048);
    expect(generations(all)).toEqual([2_048, 512]);
  });
});

test('a bucket without names of its own leads to none, whatever its marks', () => {
  const held = new RecentClientOrderIds();
  held.add(1, 0, 'first', 1);
  held.add(2, 0, 'second', 2);
  expect([held.has(1, 0, 'first'), held.has(2, 0, 'second')]).toEqual([true, true]);
  expect([held.has(1, 0, 'second'), held.has(2, 0, 'first'), held.has(2, 1, 'second')]).toEqual([
    ...[false, false, false],
  ]);
  // The same bucket and the same marks, and another hash.
  expect(held.has(1 + 512, 0, 'first')).toBe(false);
});

test('a name that was held twice is free when the later of its orders ended long enough ago', () => {
  const held = new RecentClientOrderIds();
  held.add(7, 0, 'the-name', 10);
  held.add(7, 0, 'the-name', 20);
  const hasBy = (until: number): boolean => {
    held.until = until;
    return held.has(7, 0, 'the-name');
  };
  expect([9, 10, 19, 20].map(hasBy)).toEqual([true, true, true, false]);
});

/** An account and a client order id of it. */
type Name = readonly [account: number, clientOrderId: string];

test.each<readonly [string, Name, Name]>([
  ['ids', [4, 'order--1152957120'], [4, 'order--2038980908']],
  ['accounts', [256, 'the-name'], [530_867, 'the-name']],
])('%s with the same hash are distinguished', (_, one, other) => {
  const pairs: readonly (readonly [Name, Name])[] = [
    [one, other],
    [other, one],
  ];
  for (const [first, second] of pairs) {
    const orders = new Orders(1);
    const names = new ClientOrderIds(orders);
    const open = ([account, clientOrderId]: Name): number =>
      orders.open(opening({ account, clientOrderId }));
    const orderOf = (name: Name): number => names.order(...name);
    const taken = open(first);
    names.add(taken, ...first);
    expect([names.find(...first), names.find(...second)]).toEqual([taken, NONE]);
    expect([names.isVacant(...first), names.isVacant(...second)]).toEqual([false, true]);
    const later = open(second);
    names.enter(later);
    const hashes = [taken, later].map((order) => orders.integers[(order << 5) | FIELD.NAME_HASH]);
    expect(hashes[0]).toBe(hashes[1]);
    expect([orderOf(first), orderOf(second)]).toEqual([taken, later]);
    orders.end(taken, 'canceled', 5);
    names.hold(taken);
    expect([orderOf(first), orderOf(second)]).toEqual([NONE, later]);
    expect(names.find(...first)).toBe(HELD);
    orders.end(later, 'canceled', 6);
    names.clear(5);
    expect(names.find(...first)).toBe(NONE);
    names.hold(later);
    expect([names.find(...first), names.find(...second)]).toEqual([NONE, HELD]);
  }
});

test('ten thousand orders are found by their names, which takes more than one cut of the table', () => {
  const orders = new Orders(1);
  const names = new ClientOrderIds(orders);
  const idOf = (number: number): string => `order--${number % 5_000}`;
  const accountOf = (number: number): number => 4 + Math.floor(number / 5_000);
  const numbers = Array.from({ length: 10_000 }, (_, number) => number);
  const isLost = (i: number): boolean => names.order(accountOf(i), idOf(i)) !== i;
  for (const i of numbers) {
    const [account, clientOrderId] = [accountOf(i), idOf(i)];
    const order = orders.openPlain(account, 0, 0, clientOrderId);
    // Both ways to enter a name, as a fast and a general path of the exchange have them.
    if (i % 3 > 0) names.add(order, account, clientOrderId);
    else if (names.isVacant(account, clientOrderId)) names.enter(order);
  }
  expect(numbers.filter(isLost)).toEqual([]);
  for (const i of numbers) if (i % 3 === 1) names.hold(i);
  expect(numbers.filter((i) => isLost(i) !== (i % 3 === 1))).toEqual([]);
  expect(names.order(6, idOf(0))).toBe(-1);
  expect(names.order(4, 'short')).toBe(-1);
  expect(names.order(4, undefined)).toBe(-1);
});

test('names of ended orders go with their blocks, and the time says when, whatever came before', () => {
  const orders = new Orders(1);
  const names = new ClientOrderIds(orders);
  const idOf = (number: number): string => `order--${number}`;
  const wrong: number[] = [];
  // A block is 1,024 names: they are held for 1,500 orders and so for one or two blocks.
  for (let i = 0; i < 5_000; i += 1) {
    const order = orders.openPlain(0, 0, 0, idOf(i));
    names.add(order, 0, idOf(i));
    orders.end(order, 'canceled', i);
    names.hold(order);
    orders.release(order);
    names.clear(i - 1_500);
    if (names.find(0, idOf(i)) !== HELD) wrong.push(i);
    if (i >= 1_500 && names.find(0, idOf(i - 1_500)) !== NONE) wrong.push(i);
    if (i >= 1_499 && names.find(0, idOf(i - 1_499)) !== HELD) wrong.push(i);
  }
  expect(wrong).toEqual([]);
});
