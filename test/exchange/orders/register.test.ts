import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Expiries } from '../../../src/exchange/orders/expiries.ts';
import { HELD, ClientOrderIds } from '../../../src/exchange/orders/client-order-ids.ts';
import { type OrderOpening, Orders } from '../../../src/exchange/orders/orders.ts';
import { OrderIndex } from '../../../src/exchange/orders/order-index.ts';

const opening = (change: Partial<OrderOpening>): OrderOpening => ({
  account: 2,
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
  clientOrderId: 'order-0001',
  originalClientOrderId: undefined,
  createdAt: 0,
  at: 0,
  ...change,
});

test('names find their orders, account by account, through growth and removal', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3_000 })), {
        maxLength: 6_000,
        size: 'max',
      }),
      (steps) => {
        const orders = new Orders(1);
        const names = new ClientOrderIds(orders);
        const known = new Map<string, number>();
        const held: { key: string; at: number }[] = [];
        let time = 0;
        const find = (account: number, id: string): number => names.find(account, id);
        for (const [account, number] of steps) {
          const clientOrderId = `order--${number}`;
          const key = `${account} ${number}`;
          const order = known.get(key);
          if (held.some((one) => one.key === key)) {
            expect(find(account, clientOrderId)).toBe(HELD);
          } else if (order === undefined) {
            expect(find(account, clientOrderId)).toBe(-1);
            const slot = orders.open(opening({ account, clientOrderId }));
            names.add(slot, account, clientOrderId);
            known.set(key, slot);
          } else {
            expect(find(account, clientOrderId)).toBe(order);
            time += 1;
            orders.end(order, 'canceled', time);
            names.hold(order);
            orders.release(order);
            known.delete(key);
            held.push({ key, at: time });
            expect(find(account, clientOrderId)).toBe(HELD);
            names.clear(time - 1_500);
            if (held[0].at <= time - 1_500) held.shift();
          }
        }
        while (held.length > 0) {
          const [{ key, at }] = held.splice(0, 1);
          const [account, number] = key.split(' ').map(Number);
          names.clear(at - 1);
          expect(find(account, `order--${number}`)).toBe(HELD);
          names.clear(at);
          expect(find(account, `order--${number}`)).toBe(-1);
        }
        for (const [key, order] of known) {
          const [account, number] = key.split(' ').map(Number);
          expect(find(account, `order--${number}`)).toBe(order);
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('expiries come soonest first, older orders first where times are equal', () => {
  const time = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(time, fc.boolean(), fc.nat()), { maxLength: 150, size: 'max' }),
      (steps) => {
        const orders = new Orders(4);
        const expiries = new Expiries(orders);
        const waiting: { order: number; at: number }[] = [];
        for (const [at, removes, pick] of steps) {
          if (removes && waiting.length > 0) {
            const [gone] = waiting.splice(pick % waiting.length, 1);
            expiries.remove(gone.order);
            expiries.remove(gone.order);
          } else {
            const order = orders.open(opening({ expireAt: at }));
            expiries.add(order);
            waiting.push({ order, at });
          }
          expect(expiries.nextAt).toBe(Math.min(Infinity, ...waiting.map((w) => w.at)));
        }
        waiting.sort((a, b) => a.at - b.at || a.order - b.order);
        for (const { order } of waiting) {
          expect(expiries.next()).toBe(order);
          expiries.remove(order);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('a slot that was given back keeps nothing of the order before', () => {
  const orders = new Orders(1);
  const first = orders.open(opening({ originalClientOrderId: 'older-0001', filled: 0, lots: 5 }));
  orders.execute(first, 2, 7);
  expect(orders.status(first)).toBe('partiallyFilled');
  orders.end(first, 'canceled', 8);
  expect([orders.status(first), orders.active(first)]).toEqual(['canceled', false]);
  orders.release(first);
  const second = orders.open(opening({ clientOrderId: 'order-0002', at: 9, createdAt: 9 }));
  expect(second).toBe(first);
  expect(orders.id(second)).toBe(2);
  expect(orders.originalClientOrderId(second)).toBeUndefined();
  expect([orders.status(second), orders.filled(second), orders.updatedAt(second)]).toEqual([
    'new',
    0,
    9,
  ]);
});

test('an order that is cleared away at once leaves those that ended before it to be cleared away in turn', () => {
  const orders = new Orders(1);
  const register = new OrderIndex(orders, 1, 60);
  const ids = Array.from({ length: 10 }, (_, number) => `order--${number}`);
  for (const clientOrderId of ids) register.open(opening({ clientOrderId }));
  const end = (number: number, at: number): number => {
    const order = register.active(2, ids[number]);
    register.end(order, number === 9 ? 'canceled' : 'filled', at);
    return order;
  };
  for (let number = 0; number < 9; number += 1) end(number, number);
  register.clearAway(end(9, 100));
  expect(ids.map((id) => register.find(2, id) === HELD)).not.toContain(true);
  for (let request = 0; request < 3; request += 1) register.sweep(100);
  // What ended by 40 is free at 100; the last is held until 160.
  expect(ids.map((id) => register.isVacant(2, id))).toEqual([...Array(9).fill(true), false]);
  register.sweep(160);
  expect(register.isVacant(2, ids[9])).toBe(true);
});

test('an order that is cleared away at once gives its record to the next one, and its name stays held', () => {
  const orders = new Orders(1);
  const register = new OrderIndex(orders, 1, 60);
  const order = register.open(opening({}));
  register.end(order, 'canceled', 5);
  register.clearAway(order);
  expect(register.find(2, 'order-0001')).toBe(HELD);
  expect(register.open(opening({ clientOrderId: 'order-0002' }))).toBe(order);
});
