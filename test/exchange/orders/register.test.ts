import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Expiries } from '../../../src/exchange/orders/expiries.ts';
import { HELD, ClientOrderIds } from '../../../src/exchange/orders/client-order-ids.ts';
import { NONE, Orders } from '../../../src/exchange/orders/orders.ts';
import { OrderIndex } from '../../../src/exchange/orders/order-index.ts';
import { runs, seed } from '../../kit/size.ts';
import { opening } from './opening.ts';

/** What a name leads to, in a history of orders that are opened and end one after another. */
class PlainNames {
  readonly #found = new Map<string, number>();
  readonly #endedAt = new Map<string, number>();
  until = -1;

  find(key: string): number {
    const order = this.#found.get(key);
    if (order !== undefined) return order;
    return (this.#endedAt.get(key) ?? Number.NEGATIVE_INFINITY) > this.until ? HELD : NONE;
  }

  open(key: string, order: number): void {
    this.#found.set(key, order);
  }

  end(key: string, at: number): void {
    this.#found.delete(key);
    this.#endedAt.set(key, at);
  }
}

test('names find their orders, account by account, through growth and removal', () => {
  const step = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 700 }));
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 3_000, size: 'max' }),
      fc.integer({ min: 0, max: 1_500 }),
      (steps, holdUs) => {
        const orders = new Orders(1);
        const names = new ClientOrderIds(orders);
        const plain = new PlainNames();
        const wrong: string[] = [];
        const found = (account: number, number: number): number => {
          const order = names.find(account, `order--${number}`);
          if (order !== plain.find(`${account} ${number}`)) wrong.push(`${account} ${number}`);
          return order;
        };
        for (const [time, [account, number]] of steps.entries()) {
          const clientOrderId = `order--${number}`;
          const key = `${account} ${number}`;
          const order = found(account, number);
          if (order === NONE) {
            const slot = orders.open(opening({ account, clientOrderId }));
            names.add(slot, account, clientOrderId);
            plain.open(key, slot);
          } else if (order !== HELD) {
            orders.end(order, 'canceled', time);
            names.hold(order);
            orders.release(order);
            plain.end(key, time);
          }
          found(account, number);
          plain.until = time - holdUs;
          names.clear(plain.until);
        }
        for (const [account, number] of steps) found(account, number);
        expect(wrong).toEqual([]);
      },
    ),
    { numRuns: runs(30), seed: seed(432) },
  );
});

test('expiries come soonest first, older orders first where times are equal', () => {
  const time = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(time, fc.boolean(), fc.nat()), { maxLength: 90, size: 'max' }),
      (steps) => {
        const orders = new Orders(4);
        const expiries = new Expiries(orders);
        const waiting: { order: number; at: number }[] = [];
        const due: number[][] = [];
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
          due.push([expiries.nextAt, Math.min(Infinity, ...waiting.map((w) => w.at))]);
        }
        expect(due.filter(([said, soonest]) => said !== soonest)).toEqual([]);
        waiting.sort((a, b) => a.at - b.at || a.order - b.order);
        for (const { order } of waiting) {
          expect(expiries.next()).toBe(order);
          expiries.remove(order);
        }
      },
    ),
    { numRuns: 40 },
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
