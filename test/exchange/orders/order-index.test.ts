import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HELD, MALFORMED } from '../../../src/exchange/orders/client-order-ids.ts';
import { OrderIndex } from '../../../src/exchange/orders/order-index.ts';
import { NONE, Orders } from '../../../src/exchange/orders/orders.ts';
import type { Fees } from '../../../src/exchange/ledger/fees.ts';
import { runs, seed } from '../../kit/size.ts';
import { opening } from './opening.ts';

const INSTRUMENTS = 3;
const HOLD_US = 10;

interface PlainOrder {
  readonly order: number;
  readonly account: number;
  readonly instrument: number;
  readonly expireAt: number;
  readonly name: string;
}

/** The orders of all accounts as plain lists: what the index says is compared with them. */
class PlainIndex {
  /** Oldest first. */
  active: PlainOrder[] = [];
  /** Ended orders whose records are not given back, oldest first. */
  ended: (PlainOrder & { readonly at: number })[] = [];
  readonly #heldAt = new Map<string, number>();
  until = Number.NEGATIVE_INFINITY;

  find(account: number, name: string): number {
    const isIt = (one: PlainOrder): boolean => one.account === account && one.name === name;
    const found = this.active.find(isIt) ?? this.ended.find(isIt);
    if (found !== undefined) return found.order;
    const heldAt = this.#heldAt.get(`${account} ${name}`) ?? Number.NEGATIVE_INFINITY;
    return heldAt > this.until ? HELD : NONE;
  }

  of(account: number, instrument?: number): number[] {
    return this.active
      .filter((one) => one.account === account)
      .filter((one) => instrument === undefined || one.instrument === instrument)
      .map(({ order }) => order);
  }

  end(order: number, at: number): void {
    const one = this.active.find((other) => other.order === order);
    if (one === undefined) throw new Error('no order');
    this.active = this.active.filter((other) => other !== one);
    this.ended.push({ ...one, at });
  }

  release(most: number): void {
    for (const { account, name, at } of this.ended.splice(0, most)) {
      this.#heldAt.set(`${account} ${name}`, at);
    }
  }
}

const ACCOUNTS = [0, 1, 40];
const NAMES = Array.from({ length: 5 }, (_, number) => `order--${number}`);

/** What the index says of all accounts and names, and what the plain lists say. */
function compare(orders: Orders, index: OrderIndex, plain: PlainIndex): void {
  const said: unknown[] = [index.expiries.nextAt];
  const expected: unknown[] = [Math.min(...plain.active.map((one) => one.expireAt))];
  for (const account of ACCOUNTS) {
    const chain: number[] = [];
    for (let one = index.first(account); one !== NONE; one = orders.accountNext(one)) {
      chain.push(one);
    }
    const all = plain.of(account);
    said.push(chain, index.listed(account), index.activeCount(account));
    expected.push(all, all, all.length);
    for (let on = 0; on < INSTRUMENTS; on += 1) {
      const those = plain.of(account, on);
      said.push(index.listed(account, on), index.activeCountOn(account, on));
      expected.push(those, those.length);
    }
    for (const name of NAMES) {
      const found = plain.find(account, name);
      said.push(index.find(account, name), index.active(account, name));
      expected.push(found, all.includes(found) ? found : NONE);
    }
  }
  expect(said).toEqual(expected);
}

const drawn = fc.record({
  what: fc.constantFrom('open', 'open', 'plain', 'end', 'endNow', 'sweep', 'wait', 'claim'),
  account: fc.constantFrom(...ACCOUNTS),
  instrument: fc.nat({ max: INSTRUMENTS - 1 }),
  name: fc.constantFrom(...NAMES),
  expireAt: fc.constantFrom(50, 60, Infinity),
  pick: fc.nat(),
});

test('whatever is opened and ends, orders are found as in plain lists of them', () => {
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 15, maxLength: 30 }), (steps) => {
      const orders = new Orders(1);
      const index = new OrderIndex(orders, INSTRUMENTS, HOLD_US);
      index.grow(41);
      const plain = new PlainIndex();
      let now = 0;
      for (const { what, account, instrument, name, expireAt, pick } of steps) {
        const isFree = plain.find(account, name) === NONE;
        const terms = { account, instrument, name } as const;
        const { order } = plain.active[pick % Math.max(1, plain.active.length)] ?? { order: NONE };
        if (what === 'open' && isFree) {
          const opened = index.open(
            opening({ account, instrument, expireAt, clientOrderId: name }),
          );
          plain.active.push({ ...terms, expireAt, order: opened });
        } else if (what === 'plain') {
          expect(index.isVacant(account, name)).toBe(isFree);
          if (!isFree) continue;
          const opened = index.openPlain(account, instrument, 0, name);
          orders.begin(opened, 1, 1, now);
          plain.active.push({ ...terms, expireAt: Infinity, order: opened });
        } else if (what.startsWith('end') && order !== NONE) {
          index.end(order, 'canceled', now);
          expect([orders.status(order), orders.updatedAt(order)]).toEqual(['canceled', now]);
          plain.end(order, now);
          if (what === 'endNow') {
            index.clearAway(order);
            if (plain.ended.length === 1) plain.release(1);
          }
        } else if (what === 'sweep') {
          index.sweep(now);
          plain.until = now - HOLD_US;
          // No more than four at a time.
          plain.release(4);
        } else if (what === 'wait') {
          now += 1 + (pick % HOLD_US);
        } else if (what === 'claim') {
          // A name whose order ended long enough ago is free, though its record is not given back yet.
          const waiting = plain.ended.find((one) => one.account === account && one.name === name);
          if (waiting !== undefined && waiting.at <= plain.until) plain.release(Infinity);
          expect(index.claim(account, name)).toBe(plain.find(account, name));
        }
        compare(orders, index, plain);
      }
    }),
    { numRuns: runs(500), seed: seed(433) },
  );
});

describe('a name', () => {
  const floor = () => {
    const orders = new Orders(1);
    return { orders, index: new OrderIndex(orders, 1, HOLD_US) };
  };

  test('that no order can have is found, claimed and vacant for none', () => {
    const { index } = floor();
    for (const name of ['short', 'with blank', undefined, 7]) {
      expect(index.find(0, name)).toBe(MALFORMED);
      expect(index.claim(0, name)).toBe(MALFORMED);
      expect(index.active(0, name)).toBe(NONE);
      expect(index.isVacant(0, name)).toBe(false);
    }
  });

  test('is free exactly when its order ended as long ago as names are held', () => {
    const { index } = floor();
    const order = index.open(opening({ account: 0 }));
    index.end(order, 'filled', 100);
    index.clearAway(order);
    index.sweep(100 + HOLD_US - 1);
    expect(index.claim(0, 'order-0001')).toBe(HELD);
    index.sweep(100 + HOLD_US);
    expect(index.claim(0, 'order-0001')).toBe(NONE);
  });

  test('is free for a new order though more records wait to be cleared away than a request takes', () => {
    const { index } = floor();
    const names = Array.from({ length: 9 }, (_, number) => `order--${number}`);
    for (const clientOrderId of names)
      index.end(index.open(opening({ clientOrderId })), 'filled', 5);
    index.sweep(5 + HOLD_US - 1);
    // Four are held, and the others wait: none is free yet.
    expect(names.map((name) => index.claim(2, name) >= 0)).toEqual([
      ...Array<boolean>(4).fill(false),
      ...Array<boolean>(5).fill(true),
    ]);
    index.sweep(5 + HOLD_US);
    expect(index.claim(2, names[8])).toBe(NONE);
    // All of them were let go for it.
    expect(names.map((name) => index.find(2, name))).toEqual(names.map(() => NONE));
  });
});

test('orders that end after some of those before were cleared away are cleared away in turn', () => {
  const orders = new Orders(1);
  const index = new OrderIndex(orders, 1, HOLD_US);
  const names = Array.from({ length: 11 }, (_, number) => `order--${number}`);
  const held = (): number => names.filter((name) => index.find(2, name) === HELD).length;
  for (const clientOrderId of names) index.open(opening({ clientOrderId }));
  const end = (name: string): void => {
    index.end(index.active(2, name), 'filled', 1);
  };
  const counts: number[] = [];
  const sweep = (): void => {
    index.sweep(2);
    counts.push(held());
  };
  // Four of six, and then two with four more.
  for (const name of names.slice(0, 6)) end(name);
  sweep();
  for (const name of names.slice(6, 10)) end(name);
  for (let request = 0; request < 3; request += 1) sweep();
  end(names[10]);
  sweep();
  expect(counts).toEqual([4, 8, 10, 10, 11]);
});

test('accounts have room as they come, and keep their orders', () => {
  const orders = new Orders(1);
  const index = new OrderIndex(orders, INSTRUMENTS, HOLD_US);
  const first = index.open(opening({ account: 15, instrument: 2 }));
  for (const count of [16, 17, 70, 200]) {
    index.grow(count);
    expect(index.listed(15)).toEqual([first]);
    expect(index.activeCountOn(15, 2)).toBe(1);
    expect([index.first(count - 1), index.activeCount(count - 1)]).toEqual(
      count === 16 ? [first, 1] : [NONE, 0],
    );
  }
  const last = index.open(opening({ account: 199, instrument: 1 }));
  expect([index.first(199), index.activeCount(199), index.activeCountOn(199, 1)]).toEqual([
    ...[last, 1, 1],
  ]);
  expect(index.activeCountOn(199, 2)).toBe(0);
});

test('a fee schedule of an order alone is left when its record is given back, one of an instrument never', () => {
  const left: number[] = [];
  const fees = { release: (schedule: number) => left.push(schedule) } as unknown as Fees;
  const orders = new Orders(1);
  const index = new OrderIndex(orders, INSTRUMENTS, HOLD_US, fees);
  const schedules = [0, INSTRUMENTS - 1, INSTRUMENTS, INSTRUMENTS + 4];
  const all = schedules.map((feeSchedule, number) =>
    index.open(opening({ feeSchedule, clientOrderId: `order--${number}` })),
  );
  for (const order of all) index.end(order, 'canceled', 1);
  expect(left).toEqual([]);
  index.sweep(1);
  expect(left).toEqual([INSTRUMENTS, INSTRUMENTS + 4]);
  // Where all pay alike there is nobody to leave.
  const alike = new OrderIndex(new Orders(1), INSTRUMENTS, HOLD_US);
  const order = alike.open(opening({ feeSchedule: INSTRUMENTS }));
  alike.end(order, 'canceled', 1);
  alike.clearAway(order);
  expect(alike.find(2, 'order-0001')).toBe(HELD);
});

test('an order that has ended by its record already goes from all lists', () => {
  const orders = new Orders(1);
  const index = new OrderIndex(orders, 1, HOLD_US);
  const order = index.open(opening({ expireAt: 9 }));
  const next = index.open(opening({ expireAt: 12, clientOrderId: 'order-0002' }));
  orders.setRemaining(order, 0, 3);
  index.retire(order);
  expect(index.listed(2)).toEqual([next]);
  expect(index.expiries.nextAt).toBe(12);
  expect(index.active(2, 'order-0001')).toBe(NONE);
  expect(index.find(2, 'order-0001')).toBe(order);
});
