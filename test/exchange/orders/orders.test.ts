import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NONE, Orders, type OrderOpening } from '../../../src/exchange/orders/orders.ts';
import {
  hasPrice,
  isActive,
  ORDER_TYPES,
  TIMES_IN_FORCE,
  type OrderStatus,
} from '../../../src/model/order.ts';
import { runs, seed } from '../../kit/size.ts';
import { opening } from './opening.ts';

/** All that a record says of an order. */
const read = (orders: Orders, order: number) => ({
  account: orders.account(order),
  instrument: orders.instrument(order),
  feeSchedule: orders.feeSchedule(order),
  side: orders.side(order),
  type: orders.type(order),
  timeInForce: orders.timeInForce(order),
  postOnly: orders.postOnly(order),
  margin: orders.marginFlags(order),
  lots: orders.lots(order),
  filled: orders.filled(order),
  remaining: orders.remaining(order),
  ticks: orders.ticks(order),
  expireAt: orders.expireAt(order),
  clientOrderId: orders.clientOrderId(order),
  originalClientOrderId: orders.originalClientOrderId(order),
  createdAt: orders.createdAt(order),
  updatedAt: orders.updatedAt(order),
  status: orders.status(order),
  isActive: orders.active(order),
  isSuspended: orders.suspended(order),
  isLasting: orders.isLasting(order),
  id: orders.id(order),
});
type Plain = ReturnType<typeof read>;

/** The same of an order that was just opened, by what it was opened with. */
function opened(of: OrderOpening, id: number): Plain {
  const { at, filled, feeSchedule = of.instrument, ...rest } = of;
  const isLasting = hasPrice(of.type) && of.timeInForce !== 'IOC' && of.timeInForce !== 'FOK';
  const status = filled > 0 ? 'partiallyFilled' : 'new';
  return {
    ...rest,
    ...{ id, feeSchedule, filled, remaining: of.lots - filled, updatedAt: at },
    ...{ status, isActive: true, isSuspended: false, isLasting },
  };
}

const drawnOpening: fc.Arbitrary<OrderOpening> = fc.record({
  account: fc.nat({ max: 9 }),
  instrument: fc.nat({ max: 3 }),
  side: fc.constantFrom(0, 1),
  type: fc.constantFrom(...ORDER_TYPES),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
  postOnly: fc.boolean(),
  margin: fc.nat({ max: 7 }),
  lots: fc.integer({ min: 5, max: 9 }),
  filled: fc.nat({ max: 4 }),
  ticks: fc.nat({ max: 100 }),
  expireAt: fc.constantFrom(7, Infinity),
  clientOrderId: fc.constantFrom('order-0001', 'order-0002'),
  originalClientOrderId: fc.constantFrom(undefined, 'order-0000'),
  createdAt: fc.nat({ max: 9 }),
  at: fc.nat({ max: 9 }),
  feeSchedule: fc.nat({ max: 9 }),
});

type Change = (orders: Orders, order: number, now: Plain) => Plain;
const ended = (status: OrderStatus) => ({ status, isActive: isActive(status), isSuspended: false });

const executed = (now: Plain, remaining: number, updatedAt: number): Plain => ({
  ...now,
  ...ended(remaining === 0 ? 'filled' : 'partiallyFilled'),
  ...{ remaining, filled: now.lots - remaining, updatedAt },
});

/** What can be done to an order, and what a plain record of it says then. */
const CHANGES: Readonly<Record<string, Change>> = {
  execute: (orders, order, now) => {
    orders.execute(order, 1, 20);
    return executed(now, now.remaining - 1, 20);
  },
  left: (orders, order, now) => {
    orders.setRemaining(order, 0, 21);
    return executed(now, 0, 21);
  },
  quantity: (orders, order, now) => {
    orders.setLots(order, 12);
    return { ...now, lots: 12, remaining: 12 - now.filled };
  },
  suspend: (orders, order, now) => {
    orders.setStatus(order, 'suspended', 22);
    return { ...now, status: 'suspended', isActive: true, isSuspended: true, updatedAt: 22 };
  },
  activate: (orders, order, now) => {
    orders.setStatus(order, 'new', 23);
    return { ...now, ...ended('new'), updatedAt: 23 };
  },
  ...Object.fromEntries(
    (['filled', 'canceled', 'expired'] as const).map((status): [string, Change] => [
      status,
      (orders, order, now) => {
        orders.end(order, status, 24);
        return { ...now, ...ended(status), updatedAt: 24 };
      },
    ]),
  ),
};

test('records of orders say what plain records say, through growth and slots that are taken again', () => {
  const step = fc.record({
    of: drawnOpening,
    pick: fc.nat(),
    what: fc.constantFrom('open', 'open', 'open', 'release', ...Object.keys(CHANGES)),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 60 }), (steps) => {
      const orders = new Orders(1);
      const known = new Map<number, Plain>();
      let issued = 0;
      for (const { of, pick, what } of steps) {
        const [order, now] = [...known][pick % Math.max(1, known.size)] ?? [];
        if (what === 'open' || order === undefined || now === undefined) {
          const opens = orders.open(of);
          expect(known.has(opens)).toBe(false);
          issued += 1;
          known.set(opens, opened(of, issued));
        } else if (what === 'release') {
          orders.release(order);
          known.delete(order);
        } else {
          known.set(order, CHANGES[what](orders, order, now));
        }
        expect(orders.issued).toBe(issued);
        const all = [...known];
        expect(all.map(([one]) => read(orders, one))).toEqual(all.map(([, plain]) => plain));
      }
    }),
    { numRuns: runs(250), seed: seed(431) },
  );
});

describe('a record', () => {
  test('pays by the fee schedule of its instrument where none is named', () => {
    const orders = new Orders(1);
    expect(orders.feeSchedule(orders.open(opening({ instrument: 3 })))).toBe(3);
    expect(orders.feeSchedule(orders.open(opening({ instrument: 3, feeSchedule: 0 })))).toBe(0);
  });

  test('begins outside all queues, also in a slot that an order had before', () => {
    const orders = new Orders(1);
    const order = orders.open(opening());
    orders.setLevel(order, 5);
    orders.setExpiryIndex(order, 6);
    expect([orders.level(order), orders.expiryIndex(order)]).toEqual([5, 6]);
    orders.release(order);
    const next = orders.open(opening());
    expect(next).toBe(order);
    expect([orders.level(next), orders.expiryIndex(next), orders.accountNext(next)]).toEqual([
      ...[NONE, NONE, NONE],
    ]);
  });

  test('keeps each of its marks and places for itself', () => {
    const orders = new Orders(2);
    const all = [orders.open(opening()), orders.open(opening())];
    const set = (order: number, from: number): void => {
      orders.setAheadMark(order, from + 0.5);
      orders.setPrintMark(order, from + 1.5);
      orders.setRestedAt(order, from + 2);
      orders.setLevel(order, from + 3);
      orders.setNext(order, from + 4);
      orders.setPrevious(order, from + 5);
      orders.setExpiryIndex(order, from + 6);
    };
    set(all[0], 10);
    set(all[1], 20);
    const marks = all.map((order) => [
      ...[orders.aheadMark(order), orders.printMark(order), orders.restedAt(order)],
      ...[orders.level(order), orders.next(order), orders.previous(order)],
      orders.expiryIndex(order),
    ]);
    expect(marks).toEqual([
      [10.5, 11.5, 12, 13, 14, 15, 16],
      [20.5, 21.5, 22, 23, 24, 25, 26],
    ]);
  });

  test('of a plain order begins with its number and time once it is begun, and never expires', () => {
    const orders = new Orders(1);
    const order = orders.openPlain(4, 1, 1, 'order-0007');
    orders.begin(order, 90, 8, 33);
    expect(read(orders, order)).toEqual(
      opened(
        opening({
          ...{ account: 4, instrument: 1, side: 1, clientOrderId: 'order-0007' },
          ...{ ticks: 90, lots: 8, createdAt: 33, at: 33 },
        }),
        1,
      ),
    );
  });
});
