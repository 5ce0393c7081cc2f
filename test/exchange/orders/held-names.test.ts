import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentClientOrderIds } from '../../../src/exchange/orders/recent-client-order-ids.ts';
import { ClientOrderIds } from '../../../src/exchange/orders/client-order-ids.ts';
import { type OrderOpening, Orders } from '../../../src/exchange/orders/orders.ts';
import { FIELD } from '../../../src/exchange/orders/record.ts';

/** So many names that some have the same hash, of which there are 2^31. */
const COUNT = 150_000;
/** Another number for each, from all over the range: neighbours have hashes of their own. */
const scattered = (number: number): number => Math.imul(number, 0x85ebca6b) >>> 1;

test('holds what was added and is not free, whatever the hashes, through every change of size', () => {
  const step = fc.record({
    adds: fc.integer({ min: 0, max: 9_000 }),
    frees: fc.integer({ min: 0, max: 9_000 }),
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
        for (let i = frees % 7; i < names.length; i += 7) expect(has(i)).toBe(names[i].at > until);
        const { hash, account, id } = names.at(-1) ?? { hash: 0, account: 0, id: '' };
        expect(held.has(hash, account + 1, id)).toBe(false);
        expect(held.has(hash, account, `${id}-`)).toBe(false);
      }
    }),
    { numRuns: 25, seed: 1 },
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

test('where as many names come as go, what leads to the first of them does not stay', () => {
  const held = new RecentClientOrderIds();
  let most = 0;
  for (let i = 0; i < 200_000; i += 1) {
    held.add(scattered(i), 0, `name-${i}`, i);
    held.until = i - 5_000;
    if (held.dueAt <= held.until) held.drop();
    let generations = 0;
    let one: (typeof held)['latest'] | undefined = held['latest'];
    for (; one !== undefined; one = one.previous) generations += 1;
    most = Math.max(most, generations);
  }
  expect(most).toBeLessThanOrEqual(3);
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

const opening: Omit<OrderOpening, 'account' | 'clientOrderId'> = {
  instrument: 0,
  side: 0,
  type: 'limit',
  timeInForce: 'GTC',
  postOnly: false,
  margin: 0,
  lots: 1,
  filled: 0,
  ticks: 1,
  expireAt: Infinity,
  originalClientOrderId: undefined,
  createdAt: 0,
  at: 0,
};

test('ids with the same hash are distinguished by their text and their account', () => {
  const cases = [
    { accountOf: () => 4, idOf: (number: number) => `order--${scattered(number)}` },
    { accountOf: scattered, idOf: () => 'the-name' },
  ];
  for (const { accountOf, idOf } of cases) {
    const orders = new Orders(1);
    const names = new ClientOrderIds(orders);
    const hashes = new Set<number>();
    const [taken, lost]: number[][] = [[], []];
    for (let i = 0; i < COUNT; i += 1) {
      const [account, clientOrderId] = [accountOf(i), idOf(i)];
      if (!names.isVacant(account, clientOrderId)) taken.push(i);
      const order = orders.open({ ...opening, account, clientOrderId });
      names.enter(order);
      hashes.add(orders.integers[(order << 5) | FIELD.NAME_HASH]);
    }
    // Else no two of them were alike, and nothing was told apart.
    expect(hashes.size).toBeLessThan(COUNT);
    for (let i = 0; i < COUNT; i += 1) {
      if (names.order(accountOf(i), idOf(i)) !== i) lost.push(i);
    }
    expect({ taken, lost }).toEqual({ taken: [], lost: [] });
  }
});

test('twenty thousand orders are found by their names, which takes more than one cut of the table', () => {
  const orders = new Orders(1);
  const names = new ClientOrderIds(orders);
  const idOf = (number: number): string => `order--${number % 10_000}`;
  const accountOf = (number: number): number => 4 + Math.floor(number / 10_000);
  for (let i = 0; i < 20_000; i += 1) {
    const [account, clientOrderId] = [accountOf(i), idOf(i)];
    names.add(orders.open({ ...opening, account, clientOrderId }), account, clientOrderId);
  }
  for (let i = 0; i < 20_000; i += 1) expect(names.order(accountOf(i), idOf(i))).toBe(i);
  expect(names.order(6, idOf(0))).toBe(-1);
  expect(names.order(4, 'short')).toBe(-1);
  expect(names.order(4, undefined)).toBe(-1);
});
