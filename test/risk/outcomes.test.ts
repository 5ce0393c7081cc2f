import fc from 'fast-check';
import { expect, test } from 'vitest';
import { most } from '../../src/risk/counting.ts';
import { remainingLots } from '../../src/risk/limits/measures.ts';
import { orderRejection } from '../../src/risk/order-rejection.ts';
import type { Order } from '../../src/model/order.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { CONTINGENCY_TYPES, type ContingencyType } from '../../src/model/order.ts';
import { runs, seed } from '../kit/size.ts';
import { BTC, ETH, limitsOf, marketOf, open, place, viewOf } from './view.ts';

/** A second implementation: tries every outcome, one order after the other filling or not. */
function worst(orders: readonly Order[], amount: (order: Order) => bigint): bigint {
  let largest = 0n;
  for (let chosen = 0; chosen < 2 ** orders.length; chosen += 1) {
    const filled = orders.filter((_, index) => (chosen & (1 << index)) !== 0);
    if (!canBe(filled)) continue;
    const sum = filled.reduce((total, order) => total + amount(order), 0n);
    if (sum > largest) largest = sum;
  }
  return largest;
}

/** Whether these orders can all fill: no two that exclude each other are among them. */
function canBe(filled: readonly Order[]): boolean {
  return filled.every((one, index) =>
    filled.slice(index + 1).every((other) => !excludes(one, other)),
  );
}

function excludes(one: Order, other: Order): boolean {
  if (one.replaces === other.clientOrderId || other.replaces === one.clientOrderId) return true;
  const { orderListId, contingencyType } = one;
  if (orderListId === undefined || orderListId !== other.orderListId) return false;
  if (contingencyType === 'oneCancelOther') return true;
  if (contingencyType !== 'oneTriggerOneCancelOther') return false;
  return (one.listIndex ?? 0) > 0 && (other.listIndex ?? 0) > 0;
}

interface Drawn {
  readonly lots: number;
  readonly executed: number;
  readonly ticks: number;
  readonly isBuy: boolean;
  readonly isBtc: boolean;
  readonly isReplaced: boolean;
  readonly newLots: number;
}

const drawnOrder: fc.Arbitrary<Drawn> = fc.record({
  lots: fc.integer({ min: 1, max: 1000 }),
  executed: fc.integer({ min: 0, max: 1000 }),
  ticks: fc.integer({ min: 1, max: 300 }),
  isBuy: fc.boolean(),
  isBtc: fc.boolean(),
  isReplaced: fc.boolean(),
  newLots: fc.integer({ min: 1, max: 1000 }),
});

const drawnGroups = fc.array(
  fc.record({
    contingencyType: fc.option(fc.constantFrom(...CONTINGENCY_TYPES)),
    orders: fc.array(drawnOrder, { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 3 },
);

function ordersOf(
  groups: readonly { contingencyType: ContingencyType | null; orders: readonly Drawn[] }[],
): Order[] {
  const orders: Order[] = [];
  for (const [group, { contingencyType, orders: drawn }] of groups.entries()) {
    for (const [index, one] of drawn.entries()) {
      const { lots, ticks } = one;
      const order = open({
        lots,
        ticks,
        filledLots: Math.min(one.executed, lots),
        side: one.isBuy ? 'buy' : 'sell',
        symbol: one.isBtc ? 'BTCUSDT' : 'ETHUSDT',
        ...(contingencyType === null
          ? {}
          : { orderListId: `${group}`, contingencyType, listIndex: index }),
      });
      orders.push(order);
      if (!one.isReplaced || orders.length > 11) continue;
      const { clientOrderId: replaces } = order;
      orders.push({
        ...order,
        clientOrderId: `${replaces}-new`,
        lots: one.newLots as never,
        status: 'pending',
        replaces,
      });
    }
  }
  return orders.slice(0, 12);
}

const left = (order: Order): bigint => BigInt(remainingLots(order));
const buys = (order: Order, symbol: string): bigint =>
  order.side === 'buy' && order.symbol === symbol ? left(order) : 0n;

test('the most that orders can come to is the worst of all outcomes', () => {
  fc.assert(
    fc.property(drawnGroups, (groups) => {
      const orders = ordersOf(groups);
      const sum = most(orders, (order) => new Decimal(left(order).toString()));
      expect(sum.toFixed()).toBe(worst(orders, left).toString());
    }),
    { seed: seed(411), numRuns: runs(300) },
  );
});

test('a position is refused exactly where some outcome would go beyond the limit', () => {
  fc.assert(
    fc.property(
      drawnGroups,
      drawnOrder,
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: 1, max: 4000 }),
      (groups, { lots, ticks, isBuy }, held, limit) => {
        const orders = ordersOf(groups);
        const request = place({ lots, ticks, side: isBuy ? 'buy' : 'sell' });
        const view = viewOf({ orders, holdings: { BTC: tenths(held) } });
        const limits = limitsOf({ maxPosition: { BTCUSDT: tenths(limit) } });
        const outcome = worst(orders, (order) => buys(order, 'BTCUSDT')) + BigInt(lots);
        const expected = isBuy && BigInt(held) + outcome > BigInt(limit);
        expect(orderRejection(request, view, limits)?.code).toBe(
          expected ? 'risk-position' : undefined,
        );
      },
    ),
    { seed: seed(412), numRuns: runs(300) },
  );
});

test('an exposure is refused exactly where some outcome would go beyond the limit', () => {
  const priceOf = (order: Order): bigint =>
    order.side === 'buy' ? left(order) * BigInt(order.ticks ?? 0) : 0n;
  fc.assert(
    fc.property(
      drawnGroups,
      drawnOrder,
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 1, max: 400_000 }),
      (groups, { lots, ticks }, heldBtc, heldEth, limit) => {
        const orders = ordersOf(groups);
        const view = viewOf({
          orders,
          instruments: [BTC, ETH],
          holdings: { BTC: tenths(heldBtc), ETH: tenths(heldEth) },
          markets: { BTCUSDT: marketOf(99, 101), ETHUSDT: marketOf(9, 11) },
        });
        // In tenths of a USDT, as lots are tenths.
        const open = worst(orders, priceOf) + BigInt(lots * ticks);
        const expected = open + BigInt(heldBtc * 100 + heldEth * 10) > BigInt(limit);
        const limits = limitsOf({ maxExposure: { USDT: tenths(limit) } });
        expect(orderRejection(place({ lots, ticks }), view, limits)?.code).toBe(
          expected ? 'risk-exposure' : undefined,
        );
      },
    ),
    { seed: seed(413), numRuns: runs(300) },
  );
});

const tenths = (count: number): string => `${Math.floor(count / 10)}.${count % 10}`;
