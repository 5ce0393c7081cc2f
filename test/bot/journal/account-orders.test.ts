import { expect, test } from 'vitest';
import { ENDED_MAX } from '../../../src/engine/orders/order-store.ts';
import { StrategyOrders } from '../../../src/engine/orders/strategy-orders.ts';
import { rejectReport } from '../../../src/model/order-request.ts';
import type { Lots } from '../../../src/model/units.ts';
import { desk, fill, intent, place, START, reported, trade, venueOrder } from './kit.ts';

const A = 'ema-abcd-0000001';
const B = 'ema-abcd-0000002';
const WHO = { strategy: 'ema', managed: false, requestedAt: START };
const TAKEN = { code: 'client-order-id-taken', message: 'The id is taken.' } as const;

test('an order that was asked for is none of the journal until it is intended', () => {
  const { journal, restart } = desk();
  journal.orders.request(place(A), WHO);
  journal.flush();
  expect([journal.openOrders(), journal.order(A)]).toEqual([[], undefined]);
  const [asked] = journal.orders.open();
  journal.intend([intent(place(A))]);
  // The one order of the account, and no other of the journal's own.
  expect(journal.openOrders()[0]).toBe(asked);
  expect(restart().openOrders()).toMatchObject([{ clientOrderId: A, status: 'unknown' }]);
});

test('a report is applied once to the orders that the journal and the strategy have', () => {
  const { journal } = desk();
  const seen: string[] = [];
  journal.intend([intent(place(A))]);
  const own = new StrategyOrders(journal.orders, 'ema');
  const first = journal.received(trade(fill(A, 5, 4), 4), START);
  seen.push(...first.changes.map(({ order }) => `${order.status} ${order.receivedLots}`));
  expect(seen).toEqual(['partiallyFilled 4']);
  expect(first.changes[0]?.order).toBe(own.find(A));
  expect(journal.order(A)).toBe(own.find(A));
  const again = journal.received(trade(fill(A, 5, 4), 4), START);
  expect(again).toMatchObject({ isNew: false, changes: [{ order: { receivedLots: 4 } }] });
});

test('an order of an id that is in the file takes nothing of the order that has it', () => {
  const at = desk();
  at.journal.intend([intent(place(A))]);
  const ended = venueOrder(A, { status: 'canceled', filledLots: 4 as Lots });
  at.journal.received(reported('canceled', ended), START);
  const next = at.restart();
  const request = place(A, { lots: 70 as Lots });
  next.orders.request(request, WHO);
  next.orders.apply(A, { kind: 'cancelRequested' }, START);
  expect(() => next.intend([intent(request)])).toThrow('already');
  // Its rejection is no news of the order in the file, and neither is written there.
  next.orders.take(rejectReport(request, TAKEN, START), START);
  next.flush();
  expect(next.order(A)).toMatchObject({ lots: 10, status: 'canceled' });
  next.orders.forget(A);
  const late = next.received(trade(fill(A, 5, 4), 4, { status: 'canceled' }), START);
  expect(late).toMatchObject({ strategy: 'ema', isNew: true, changes: [{ order: { lots: 10 } }] });
  expect(at.restart().order(A)).toMatchObject({ lots: 10, receivedLots: 4, status: 'canceled' });
});

test('the lists of open orders are there after a restart, with what ended of them', () => {
  const at = desk();
  const orders = [place(A), place(B)].map(({ kind: _, ...order }) => order);
  const list = { orderListId: A, contingencyType: 'allOrNone', orders } as const;
  at.journal.intend([intent({ kind: 'placeList', ...list })]);
  at.journal.received(reported('canceled', venueOrder(A, { status: 'canceled' })), START);
  const own = new StrategyOrders(at.restart().orders, 'ema');
  const [open] = own.open();
  expect(open?.clientOrderId).toBe(B);
  const members = open === undefined ? [] : (own.listOf(open)?.orders ?? []);
  expect(members.map(({ clientOrderId, status }) => [clientOrderId, status])).toEqual([
    [A, 'canceled'],
    [B, 'unknown'],
  ]);
});

test('fills that the venue counted before a restart are not waited for after it', () => {
  const at = desk();
  at.journal.intend([intent(place(A))]);
  const partly = { status: 'partiallyFilled', filledLots: 6 as Lots } as const;
  at.journal.received(reported('new', venueOrder(A, partly)), START);
  const [order] = at.restart().openOrders();
  expect(order).toMatchObject({ filledLots: 6, receivedLots: 0, settledLots: 6 });
});

test('an order of an id that is on its way to the file takes nothing of the order that has it either', () => {
  const at = desk();
  const { journal } = at;
  const others = Array.from({ length: ENDED_MAX }, (_, n) => `ema-abcd-${1_000_000 + n}`);
  for (const id of [A, ...others]) {
    journal.intend([intent(place(id))]);
    journal.received(reported('canceled', venueOrder(id, { status: 'canceled' })), START);
  }
  const request = place(A, { lots: 70 as Lots });
  journal.orders.request(request, WHO);
  journal.orders.take(rejectReport(request, TAKEN, START), START);
  expect(journal.order(A)).toMatchObject({ lots: 10, status: 'canceled' });
  expect(() => journal.intend([intent(request)])).toThrow('already');
  expect(at.restart().order(A)).toMatchObject({ lots: 10, status: 'canceled' });
});
